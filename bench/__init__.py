"""Measurements: `python -m bench` prints a table and writes `bench/results.json`.

Ratios are taken within one run on one machine; absolute times say something about that machine
only.
"""

"""Italia 1917-1918, from Caporetto to Vittorio Veneto, by Stéphane Sénéchal; not yet playable.

A module a chapter of the rules; ids such as 12.2.6ab are rows of `data/ledger.tsv`.
"""

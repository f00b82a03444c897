"""Whose data the maps are made from, and under which licences."""

from __future__ import annotations

CREDITS = (
    "Coasts, lakes, rivers, roads, summits and wetlands: (c) OpenStreetMap contributors, "
    "Open Database License (ODbL) 1.0.",
    "Towns: GeoNames, CC BY 4.0.",
    "Elevation: Viewfinder Panoramas (Jonathan de Ferranti); DTED Level 0 (NIMA), public domain.",
    "Land cover: GLCNMO Version 3 (c) Geospatial Information Authority of Japan, Chiba University "
    "and Collaborating Organizations.",
    "Railways 1839-1913: C. Ciccarelli and P. Groote (2017).",
)
"""The credits of every map that the foundry makes."""

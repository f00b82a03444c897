"""Makes hex maps from geography: `python -m apennine.foundry build KEY --geodata DIR`.

A *recipe* says what a map is (numbering, extent, where its hexes lie on the earth, which rivers,
roads and places it shows), an *overlay* corrects by hand what the data gets wrong, and the result
is a map file that needs neither. See docs/foundry.md.
"""

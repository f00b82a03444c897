"""The staff kit: what every game's own bot is built from, without any game's words.

A game hands in its ground, its weights and small functions (who can get where, what a post needs,
what an attack is worth); the kit finds lines, sends units to posts, prepares attacks, keeps plans
over the turns and picks the option that a judge likes best. Read `judge` first.
"""

"""Lanterns on a dark sheet, the smallest kind of map with every part: `kind` and `graphql` are all of it."""

"""The picture of a realm: `layout` (what is drawn where), `picture` (the SVG), the others draw its parts."""

"""What happens on a map at the table: pure, beside the map's own model, which play never changes.

Read in this order: `state` (what lies on a map), `edits` (what somebody may want), `limits` (sizes and
words), `rights` (who may do what), `movement` (ways over the ground), `apply` (an edit becomes a new state),
`changes` (what that changed, and how it is undone), `cells` and `sight` (fog: what tokens see is explored),
`view` (what a viewer may know of the state), `masked` (what a viewer may know of a grid map's model).
"""

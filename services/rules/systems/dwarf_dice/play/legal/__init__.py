"""What an actor may do, ready for buttons, with the chances of each choice.

`own` holds the moves of one's own turn and the game master's, `answers` what answers each question, and
`chances` how likely what a player hopes for is.
"""

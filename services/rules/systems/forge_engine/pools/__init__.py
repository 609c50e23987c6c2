"""Pools of attacks and tests as questions: `attack_pool` builds both sides of an attack step by step,
`greatest` computes the greatest action of a sheet or a stat block, `attack_check` says what is wrong with a
question, `damage` what a hit does, `attack_odds` computes the exact chances."""

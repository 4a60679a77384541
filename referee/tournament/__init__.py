"""Plays many games: who plays whom, where the pairs of games are played, and what the scores are.

Begin with plan.py (what is played) and dispatcher.py (how a pair gets from the plan to the journal).
"""

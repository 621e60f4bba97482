"""Co-reasoning of memories: a question, the scenes it recalls, facts gathered, a conclusion or a refusal.

ReverieMem, arXiv 2606.25632, section 3.4, the phase before fusion.
"""

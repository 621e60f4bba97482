"""The program's own words on screen, in one place, ready for gettext. What a world says is not here."""

from gettext import gettext as _

from sandbox.story.events import Offence

# ── title ─────────────────────────────────────────────────────────────────────────────────────

TURN = _("turn {turn}")
TURN_SHORT = _("t{turn}")
TURN_OF = _("turn {turn} of {last}")
AS_SEEN_BY = _("as {name} sees it")
REHEARSAL = _("rehearsal, no model (F1: how to connect one)")
REHEARSAL_SHORT = _("rehearsal, no model (F1)")
REHEARSAL_TINY = _("rehearsal")
REPLAY = _("replay, read-only")
COST = _("{calls} calls · {tokens} tokens")
COST_SHORT = _("{calls} calls")
ESTIMATED = _("about ")
PLAYING = _("▶ playing")
BUSY = _("… a beat")
BUSY_WITH = _("… {name}")

# ── transcript ────────────────────────────────────────────────────────────────────────────────

EMPTY_STORY = _("Nothing has happened yet.")
EMPTY_STORY_HINT = _("Press space for the first beat, p to let the story play, F1 for help.")
EMPTY_AS = _("{name} has not taken in anything yet.")
SCENE = _("Scene {number} · {place} · {clock}")
SCENE_SEEN = _("{place} · {clock}")
MEANWHILE = _("{place} ▸ ")
TO = _(" to {names}")
WHISPERS_TO = _(" whispers to {names}")
NEXT_DOOR = _(" (next door)")
THINKS = _(" thinks")
PRIVATE = _("(private)")
DRAFT = _("(draft)")
HEARD = _("heard: {names}")
SAW = _("seen by: {names}")
OVERHEARD = _("overheard: {names}")
WITHOUT_WORDS = _("without the words: {names}")
ONLY_THAT = _("only that it happened: {names}")
MISSED = _("missed: {names}")
MISSED_MANY = _("missed: {count} others")
NOBODY = _("nobody else")
JOIN = _(", ")
GROUPS = " · "
DAY_CLOCK = _("day {day} · {clock}")
NEW_LINES = _("▼ {count} new lines · {key}")
NEW_LINE = _("▼ 1 new line · {key}")

# ── cast ──────────────────────────────────────────────────────────────────────────────────────

ASLEEP = _("asleep")
DEAD = _("dead")
HIDDEN = _("hidden")
LIES_STILL = _("lies still")
PERSON_PLAYED = _("you")
ELSEWHERE = _("Elsewhere")
LAST_SEEN = _("last: {place}")
LAST_SEEN_NOWHERE = _("gone")
LAST_HEARD = _("heard next door")
GONE = _("Gone")
CAST = _("Cast")
STORY = _("Story")

# ── inspector ─────────────────────────────────────────────────────────────────────────────────

TAB_LINE = _("Why")
TAB_MIND = _("Mind")
TAB_FACTS = _("Facts")
TAB_MATRIX = _("Matrix")
TAB_PATTERNS = _("Patterns")
TAB_TRACE = _("Trace")
NO_LINE = _("There is no line yet. Press space for the first beat.")
NO_CHARACTER = _("Nobody is chosen. Choose a character in the cast, or press c.")
LINE_AT = _("turn {turn} · {clock}")
WHO_PERCEIVED = _("Who perceived it")
WHO_NOTICED = _("Whom {name} noticed")
NOTICED_NOBODY = _("nobody")
IN_FULL = _("in full")
OWN_ACT = _("own doing")
FROM_NEXT_DOOR = _("in full, unseen or from next door")
HEARD_PART = _("only that it happened")
DID_NOT = _("missed it")
TOOK_IN_FULL = _("{name} took it in, in full.")
TOOK_IN_PART = _("{name} took in only that it happened.")
TOOK_IN_NEXT_DOOR = _("{name} overheard it from next door.")
LEARNED_HERE = _("What it taught")
LEARNED_NOTHING = _("No fact was learned from this line.")
MOOD = _("Mood")
LOOKS = _("Looks")
PRIVATELY = _("Privately")
GOALS = _("Goals")
WANTS = _("Wants to know")
KEEPS = _("Keeps to itself")
KEEPS_BECAUSE = _("{statement} Because: {because}")
CONDUCT = _("Conduct")
RELATIONS = _("To others")
EPISODES = _("Episodes, newest first")
PERCEPTS = _("Lately perceived, newest first")
EPISODE_TURN = _("t{turn}")
BEFORE_PLAY = _("before")
NOTHING_YET = _("nothing yet")
KNOWS_OF = _("What {viewer} knows of {name}")
OWN_MIND_ONLY = _("Only {name}'s own mind is open in this view.")
FACTS_OF = _("{name} knows {count} facts, newest first.")
FACT_LEARNED = _("learned in turn {turn}")
FACT_BEFORE = _("before the story began")
FACT_FROM = _("{route} by {name}")
FACT_GUESS = _("heard as a guess")
FACTS_MORE = _("… and {count} older ones.")
ROUTES = {
    "experienced": _("experienced"),
    "observed": _("observed"),
    "organisation": _("through an organisation"),
    "common": _("common knowledge"),
    "told": _("told"),
}
IN_PLAY = _("in play")
KNOWING = {
    "knows": _("knows"),
    "doubts": _("doubts it"),
    "holds_other": _("holds otherwise"),
    "guesses": _("only guesses"),
    "does_not_know": _("does not know"),
}
THINKS_KNOWS = {
    True: _("knows, it thinks"),
    False: _("does not know, it thinks"),
    None: _("no opinion"),
}
STANDINGS = {
    "believed": _("believed"),
    "doubted": _("doubted"),
    "noted": _("outdone"),
}
HOLDS_INSTEAD = _("; holds: {value}")
HELD_GUESS = _(" (a guess)")
HELD_DENIAL = _(" (that it is not so)")
HELD_TOLD = _("told by {name}")
HELD_SAID = _("told")
OWN_EYES = _("own perception")
CONFIRMED = _("confirmed: {source}")
FROM_NOBODY = _("{name} had learned it from nobody.")
IN_TRUTH = _("in truth {name}")
WHY_KNOWS = _("Why {name} knows it")
WHO_THINKS = _("Who thinks who knows")
AS_IT_THINKS = _("Who else knows, as {name} thinks")
OTHER_FACTS = _("Other facts")
NOTHING_TO_ASK = _("There is no fact to ask about.")
PATTERNS_OF = _("How {name} speaks and acts")
NO_PATTERNS = _("No patterns.")
SAMPLES = _("“{text}”")
GROWN_AT = _("taken on in play, turn {turn}")
LAST_ACTED_BY = _("last acted by")
NO_TRACE = _("No trace: the line is no mind's move of this sitting, or not yours to see.")
EMPTY_TRACE = _("An empty trace: in rehearsal a move is made by rule, and no model is asked.")
TRACE_ASKED = _("Asked")
TRACE_ANCHORS = _("Own scenes that came to mind")
TRACE_PROBES = _("Probes, and what each brought")
NOTHING_NEW = _("nothing new")
TRACE_CONCLUSION = _("Conclusion")
TRACE_SUPPORT = _("It rests on")
TRACE_PATTERN = _("Pattern")
TRACE_GUARD = _("Guard")
TRACE_REQUEST = _("Request {number}, as sent")
FOUND_IN_LINE = _("It was said all the same. The guard: {what}: “{sentence}”")
OFFENCES = {
    Offence.ASSERTED: _("{name} holds this from no source"),
    Offence.SPEAKS_FOR: _("it speaks or acts for somebody else than {name}"),
    Offence.UNKNOWN_NAME: _("{name} does not know this name"),
    Offence.THOUGHT_SPOKEN: _("a private thought is said aloud"),
    Offence.THINKING: _("it holds tags of a model's thinking"),
    Offence.REPEATED: _("{name} has said it before"),
}

# ── prompt ────────────────────────────────────────────────────────────────────────────────────

DIRECTOR = _("director")
PROMPT_DIRECTOR = _("Director")
PROMPT_NARRATES = _("{who}, {place}")
PROMPT_REPLAY = _("Replay")
PLACEHOLDER_SAY = _("what {name} says, or / for commands")
PLACEHOLDER_EVENT = _("what happens here, or / for commands")
PLACEHOLDER_REPLAY = _("/turn 12 · /view NAME · /help")
NO_COMMAND = _("no command `{name}`.{nearest} /help lists them.")
USAGE = _("write it like this: `{usage}`.")
ONLY_DIRECTOR = _("that is for the director's view alone. `/view director` goes there.")
NO_PERSON = _("nobody here is called `{name}`.{nearest}")
NO_PLACE = _("no place `{name}`.{nearest}")
DID_YOU_MEAN = _(" Did you mean `{name}`?")
THERE_ARE = _(" There are: {names}.")
NO_WAY_TO = _("{here} has no way to `{name}`.{nearest}")
WAYS_ARE = _(" From there one gets to: {names}.")
NO_WAYS = _(" No way leads out of there.")
NO_TURN = _("`{text}` is not a turn. Write a number from 0 to {last}.")
ONLY_ITSELF = _("you see as {name} sees, so only {name} can act. `/view director` sees all.")
READ_ONLY = _("this is a replay: nothing can be changed. `sandbox branch` begins a save from here.")
NOTHING_TO_REWIND = _("the story is at turn {now}: there is nothing after turn {turn}.")
NO_PLACE_YET = _("there is nowhere for it to happen.")
NO_FACT = _(
    "{name} knows no fact with `{hint}` in it. The inspector (i, 3) shows what {name} knows."
)
SEVERAL_FACTS = _("several facts have `{hint}` in them: {facts}. Give more of its words.")
AFTER_THIS_BEAT = _("It takes effect after this beat. Escape stops the beat.")
TAB_COMPLETES = _("tab: ")

# ── notices and questions ─────────────────────────────────────────────────────────────────────

NOBODY_ACTS = _("Nobody can act: all are asleep, dead, or played by a person.")
STOPPED = _("Stopped. Nothing of the beat was recorded.")
CONSOLIDATING = _("The scene is over; {count} take it in …")
PASSED = _("{name} let the turn pass.")
WITHDRAWN = _("{name}'s draft was withdrawn: {reason}")
ASKED_AGAIN = _("{name} is asked once more: {reason}")
ADDRESSED = _("{name} is addressed by {speaker}: the story waits for you.")
ADDRESSED_UNSEEN = _("A character that you play is addressed: the story waits for you.")
SAYS_AS = _(" `/as {name}` answers.")
END_OF_REPLAY = _("This is the end. {earlier} goes back, {jump} jumps to a turn.")
REPLAY_OPENED = _("{turn} · {earlier} earlier · {jump} jump")
START_OF_REPLAY = _("This is the beginning.")
NOW_DIRECTOR = _("The director's view: everything is shown.")
NOW_AS = _("As {name} sees it: nothing else is shown.")
NOW_SPEAKS_AS = _(" You now speak as {name}.")
FAILED_UNSEEN = _("A move could not be had. The director's view (v) shows why.")
STORY_STANDS = _("The story stays as it was.")
SETTINGS = _("Settings: keys")
CONFIRM_RETRACT = _(
    "Take turn {turn} out of the story? What followed stays, also what was said of it."
)
ASK_EDIT = _("Turn {turn} will have other words. What of that which followed?")
KEEP_BRANCH_CANCEL = _("k: keep it   b: branch, in a new save   esc: cancel")
BRANCHED = _("A new save, `{name}`, goes on from the changed line. `sandbox play {name}` opens it.")
NOT_SHOWN = _("no line of turn {turn} is shown.")
RESTS_ON_IT = _("what followed rests on turn {turn}. Rewind to turn {before} to go on without it.")
CONFIRM_REWIND = _("Rewind to turn {turn}? What came after it is withdrawn.")
YES_NO = _("y: yes   n: no")
HIGHLIGHTS = _("Highlights")
HIGHLIGHTS_CLOSE = _("Escape or h closes this.")
NO_HIGHLIGHTS = _("Nothing yet: no secret out, no lie believed, no thread turned.")
TOO_SMALL = _("This needs at least {width}×{height} characters; the terminal has {w}×{h}.")
TORN = _("The journal ended in half a line, as after a crash. It was dropped.")
NO_ACTION = _("settings: `keys.{id}`: no such action.{nearest} F1 lists them.")
TWICE = _("settings: `keys`: `{key}` is given to `{a}` and to `{b}`. Give each its own.")

# ── help ──────────────────────────────────────────────────────────────────────────────────────

HELP_TITLE = _("Help")
HELP_CLOSE = _("Escape or F1 closes this.")
HELP_PLAY = _("How to play")
HELP_PLAY_TEXT = (
    _("Space plays one beat: one character acts or speaks. p lets the story play on by itself."),
    _("Under each line stands who took it in. Choose a line (alt+up) and press i to see why."),
    _("Type what happens, or what a character says after /as NAME. Enter sends it."),
    _("v shows the story as one character sees it: only what it perceived is on the screen."),
    _("Escape or ctrl+u clears what is typed; escape in an empty prompt leaves it."),
    _("f goes to the newest line; so does playing a beat or sending a line."),
    _(
        "Tab goes from part to part; in a page the arrow and page keys scroll. 6 shows how a move came about."
    ),
)
HELP_KEYS = _("Keys")
HELP_COMMANDS = _("Commands")
HELP_MODEL = _("How to connect a model")
HELP_MODEL_TEXT = _(
    "Any OpenAI-compatible endpoint will do: hosted, Ollama, LM Studio, vLLM, llama.cpp. "
    "Set these before you begin a new save:"
)
HELP_MODEL_LINES = (
    "export SANDBOX_MODEL_NAME=qwen3:8b",
    "export SANDBOX_MODEL_BASE_URL=http://127.0.0.1:11434/v1",
    "export SANDBOX_MODEL_API_KEY=…",
)
HELP_MODEL_END = _("The key may be left out where the endpoint asks for none.")

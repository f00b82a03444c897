/**
 * The shapes that the server sends. Nothing here runs; editors read it.
 *
 * @typedef {[string, number, number, number, string, string|null, string|null]} Option
 *   verb, unit number, hex index, value, the order in words, code of the hex, name of the unit
 *
 * @typedef {object} Unit
 * @property {string} name
 * @property {string} [title]
 * @property {string} side
 * @property {string} [nation]
 * @property {string} [troops]
 * @property {string} [size]
 * @property {string|null} hex
 * @property {string} [where]
 * @property {number} [steps]
 * @property {number} [full]
 * @property {Record<string, number|string>} [factors]
 * @property {string[]} [status]
 *
 * @typedef {{hex: string, name: string, title: string, side: string|null}} Marker
 *
 * @typedef {object} Decision
 * @property {string} side
 * @property {string} prompt
 * @property {string} rule
 * @property {"choice"|"roll"} kind
 * @property {Option[]} options
 * @property {boolean} waiting
 * @property {number[]} [dice]  of a roll by hand: how many sides each has
 * @property {string[]} [by_name]  verbs that a mere click on a unit does not mean
 *
 * @typedef {object} Entry
 * @property {number} n
 * @property {"chosen"|"rolled"|"event"|"hidden"} kind
 * @property {string|null} side
 * @property {string} text
 * @property {string} [rule]
 * @property {string} [hex]
 * @property {string} [unit]
 * @property {number[]} [faces]
 * @property {number[]} [sides]
 * @property {string} [purpose]
 * @property {string} [column]  of dice that are read from a table
 * @property {[string, string, string][]} [lines]  why that column: what, how much, by which rule
 *
 * @typedef {object} Passage  an order carried out, in a line; its steps are entries `n` up to `to`
 * @property {number} n
 * @property {number} to
 * @property {string} text
 * @property {string} [side]
 * @property {boolean} [quiet]
 * @property {string[]} [places]
 * @property {[string, string[]][]} [moves]
 * @property {[string, string, number, boolean][]} [losses]  unit, side, steps, whether it is gone
 * @property {[string, string][]} [taken]  hexes that have changed hands, and who holds them now
 * @property {boolean} [battle]
 * @property {boolean} [open]  it is not over yet
 *
 * @typedef {object} Chapter  the turn of a side
 * @property {number} n
 * @property {string} title
 * @property {string} side
 * @property {string} text
 * @property {Record<string, number>} points
 * @property {Record<string, number>} lost
 * @property {Record<string, number>} chances  to win, 0 to 1, where the game gives one
 *
 * @typedef {{n: number, side: string, text: string, result: string, gain: number, expected: number}} ToldRoll
 *
 * @typedef {{chapters: Chapter[], rolls: ToldRoll[]}} Chronicle
 *
 * @typedef {{from: number, entries: Entry[], passages?: Passage[], chapters?: Chapter[]}} LogPart
 *
 * @typedef {{sentence: string, rule?: string, unit?: string|null, hex?: string|null}} Warning
 *
 * @typedef {{n: number, name: string, side: string, text: string, when: number}} ChatLine
 *
 * @typedef {object} Standing
 * @property {string} sentence
 * @property {string} rule
 * @property {string|null} ahead
 * @property {Record<string, number>} points
 * @property {Record<string, number>} goals
 * @property {[string, number, string|null][]} prizes  hex, worth, who holds it
 *
 * @typedef {object} State
 * @property {string} at
 * @property {string} id
 * @property {string} game
 * @property {string} scenario
 * @property {Record<string, boolean>} options
 * @property {string[]} sides
 * @property {string[]} you
 * @property {string|null} as
 * @property {{side: string, kind: string, name: string|null, online: boolean, bot?: string}[]} seats
 * @property {Record<string, any>} view
 * @property {Decision|null} decision
 * @property {LogPart} log
 * @property {string[]} changed
 * @property {[string, string, string][]} came  since this side's last turn: from, to, whose units
 * @property {boolean} may_undo
 * @property {{by: string, to: number, text: string, yours: boolean}|null} rollback
 * @property {boolean} may_roll_back
 * @property {boolean} guided
 * @property {string[]} notes
 * @property {boolean} uploaded  it was made from a save; the first note says by whom
 * @property {string} title
 * @property {Warning[]} warnings
 * @property {{winner: string|null, reason: string, rule: string}|null} outcome
 * @property {string} commitment
 * @property {string|null} seed
 * @property {string} pace
 * @property {{from: number, lines: ChatLine[]}} chat
 * @property {string[]} alerts
 * @property {Standing|null} standing
 *
 * @typedef {object} Preview
 * @property {string[]} path
 * @property {string} cost
 * @property {{text: string, value: string, rule: string}[]} lines
 * @property {string} column
 * @property {{result: string, probability: number, exact: string}[]} chances
 * @property {boolean} final  whether dice fall as soon as it is chosen
 *
 * @typedef {{key: string, title: string, group: string, least: number, most: number, usual: number, rule: string}} SandKnob
 *
 * @typedef {object} SandTable
 * @property {SandKnob[]} knobs
 * @property {{name: string, side: string}[]} troops
 * @property {string} note
 *
 * @typedef {{name: string, column: string, chances: Preview["chances"]}} OddsRow
 *
 * @typedef {object} Odds
 * @property {string} title
 * @property {Preview["lines"]} lines
 * @property {OddsRow|null} now
 * @property {OddsRow[]} others
 * @property {string[]} able  who may join, in a match
 * @property {string[]} named
 * @property {string[]} targets
 * @property {string} refused  why there is no such attack
 *
 * @typedef {object} Chart
 * @property {string} key
 * @property {string} title
 * @property {string} [source]
 * @property {boolean} [reconstructed]
 * @property {string[]} columns
 * @property {any[][]} rows
 * @property {string} [note]
 * @property {string} [rule]
 *
 * @typedef {object} BoardData
 * @property {Record<string, {x: number, y: number, terrain: string, place?: string, i?: number}>} hexes
 * @property {[number, number][]} corners
 * @property {{name: string, title?: string, x?: number, y?: number, w?: number, h?: number}[]} boxes
 * @property {string[]} overlays
 *
 * What the parts of a match's page share.
 * @typedef {object} App
 * @property {string} id  of the match
 * @property {ReturnType<typeof import("./api.js").matchApi>} api  requests over HTTP
 * @property {State|null} live  the newest state
 * @property {State|null} shown  the state on the screen: the newest, or a moment of the replay
 * @property {boolean} replaying
 * @property {number} logAge  how often the log was cut: a list that was drawn before is then out of date
 * @property {string|null} selected  the unit that overlays are about
 * @property {import("./board.js").Board} board
 * @property {ReturnType<typeof import("./orders.js").mountOrders>} orders
 * @property {ReturnType<typeof import("./battle.js").mountBattle>} battle
 * @property {ReturnType<typeof import("./end.js").mountEnd>} end
 * @property {ReturnType<typeof import("./overlays.js").mountOverlays>} overlays
 * @property {ReturnType<typeof import("./replay.js").mountReplay>} replay
 * @property {ReturnType<typeof import("./panels.js").mountPanels>} panels
 * @property {ReturnType<typeof import("./record.js").makeRecord>} record  the log as far as it is known
 * @property {ReturnType<typeof import("./telling.js").makeTelling>} telling  the others' turn, told
 * @property {(option: Option) => Promise<boolean>} heeded
 * @property {(name: string, act: (about: any) => void) => void} on
 * @property {(name: string, about?: any) => void} emit
 * @property {(side: string|null) => number} sideOf
 * @property {(state: State) => void} display
 * @property {(unit: string|null) => void} select
 * @property {(error: any) => void} complain
 * @property {(option: Option, at: string) => Promise<any>} act  `at`: the state in whose menu it was
 * @property {(option: Option, after?: Option[]) => Promise<Preview|null>} preview  after others that are taken first
 * @property {(option: any[]) => Promise<{sentence: string, rule?: string}|null>} why
 * @property {() => void} undo  the last order, or all that one click has given
 * @property {() => Promise<boolean>} takeBack  one small order, if the rules let one
 * @property {(side: string|null) => Promise<any>} lookAs  one of several sides that this seat holds
 * @property {() => Promise<void>} download
 * @property {(hex: string) => void} jump  shows a place, on the map and in the panel
 * @property {() => Promise<[string, Set<string>][]>} holdings  which side holds which hexes
 * @property {(quick?: boolean) => void} home  shows where this player's units stand
 */
export {};

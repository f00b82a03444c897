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
 *
 * @typedef {{n: number, title: string, side: string, text: string}} Chapter
 *
 * @typedef {{from: number, entries: Entry[], passages?: Passage[], chapters?: Chapter[]}} LogPart
 *
 * @typedef {{sentence: string, rule?: string, unit?: string|null, hex?: string|null}} Warning
 *
 * @typedef {{n: number, name: string, side: string, text: string, when: number}} ChatLine
 *
 * @typedef {object} State
 * @property {string} at
 * @property {string} id
 * @property {string} game
 * @property {string} scenario
 * @property {string[]} sides
 * @property {string[]} you
 * @property {string|null} as
 * @property {{side: string, kind: string, name: string|null, online: boolean}[]} seats
 * @property {Record<string, any>} view
 * @property {Decision|null} decision
 * @property {LogPart} log
 * @property {string[]} changed
 * @property {boolean} may_undo
 * @property {{by: string, to: number, text: string, yours: boolean}|null} rollback
 * @property {boolean} may_roll_back
 * @property {boolean} guided
 * @property {string[]} notes
 * @property {string} title
 * @property {Warning[]} warnings
 * @property {{winner: string|null, reason: string, rule: string}|null} outcome
 * @property {string} commitment
 * @property {string|null} seed
 * @property {string} pace
 * @property {{from: number, lines: ChatLine[]}} chat
 * @property {string[]} alerts
 * @property {{sentence: string, rule: string, ahead: string|null}|null} standing
 *
 * @typedef {object} Preview
 * @property {string[]} path
 * @property {string} cost
 * @property {{text: string, value: string, rule: string}[]} lines
 * @property {string} column
 * @property {{result: string, probability: number, exact: string}[]} chances
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
 * @property {ReturnType<typeof import("./api.js").matchApi>} api
 * @property {State|null} live  the newest state
 * @property {State|null} shown  the state on the screen: the newest, or a moment of the replay
 * @property {boolean} replaying
 * @property {number} logAge  how often the log was cut: a list that was drawn before is then out of date
 * @property {string|null} selected  the unit that overlays are about
 * @property {import("./board.js").Board} board
 * @property {ReturnType<typeof import("./orders.js").mountOrders>} orders
 * @property {ReturnType<typeof import("./overlays.js").mountOverlays>} overlays
 * @property {ReturnType<typeof import("./replay.js").mountReplay>} replay
 * @property {(option: Option) => Promise<boolean>} heeded
 * @property {(name: string, act: (about: any) => void) => void} on
 * @property {(name: string, about?: any) => void} emit
 * @property {(side: string|null) => number} sideOf
 * @property {() => Entry[]} entries
 * @property {() => number} firstEntry  the number of the first of `entries`: older ones can be asked for
 * @property {() => Promise<void>} olderEntries
 * @property {(state: State) => void} display
 * @property {(option: Option, at: string) => Promise<any>} act  `at`: the state in whose menu it was
 * @property {(option: Option) => Promise<Preview|null>} preview
 * @property {() => void} undo
 * @property {(side: string|null) => Promise<any>} lookAs  one of several sides that this seat holds
 * @property {(name: string) => void} setPace
 * @property {() => void} hurry
 * @property {(error: any) => void} complain
 * @property {(hex: string) => void} jump
 * @property {(unit: string|null) => void} select
 * @property {(quick?: boolean) => void} home  shows where this player's units stand
 * @property {() => Promise<void>} download
 */
export {};

// The mutations of an SQL statement. The statement is split into tokens; an expression in `${…}` is one token.
import type { Edit, Kind } from './mutation.ts'

type Token = {
  readonly text: string
  readonly start: number
  readonly end: number
  /** How many parentheses are open around the token. */
  readonly depth: number
}

const statement =
  /\b(select\s[\s\S]*\bfrom\s|select pg_|insert into \w|delete from \w|update \w+( \w+)?\s+set\s|with (recursive )?\w+ (\([^)]*\) )?as\s)/
const part = /(^|\s|`)(where|and|or|from|join|for update|order by|on conflict|returning|filter \(where)\s/

/** True if the text is an SQL statement or, in a file of statements, a part of an SQL statement. */
export function isSql(text: string, isFileOfStatements: boolean): boolean {
  return statement.test(text) || (isFileOfStatements && part.test(text))
}

/** Returns the edits of `text`, which begins at `offset` in its source file. */
export function sqlEdits(text: string, offset: number): Edit[] {
  const tokens = tokensOf(text)
  const edits: Edit[] = []
  const add = (kind: Kind, from: Token, to: Token, replace: string) =>
    edits.push({ kind, start: offset + from.start, end: offset + to.end, replace })
  for (const [at, token] of tokens.entries()) {
    const { text: word } = token
    const [previous, next] = [tokens[at - 1], tokens[at + 1]]
    const after = next?.text ?? ''
    const before = previous?.text ?? ''
    if (word === 'for') lockEdits(tokens, at, add)
    if (/^pg_(try_)?advisory_xact_lock(_shared)?$/.test(word) && after === '(')
      add('sql-no-lock', token, token, argumentsAt(tokens, at + 1) === 1 ? 'abs' : 'mod')
    const isAnd = word === 'and' && !isOfBetween(tokens, at)
    if ((isAnd || (['where', 'on', 'having'].includes(word) && before !== 'conflict')) && next) {
      // The clause is made always true instead of removed: without it, PostgreSQL could not infer the types of its
      // parameters.
      const last = clauseEnd(tokens, at + 1)
      const clause = text.slice(next.start, last.end)
      if (clause !== 'true' && after !== 'conflict') add('sql-no-clause', next, last, `(${clause} or true)`)
    }
    const [kind, replace] = otherWord(word, before, after) ?? []
    if (kind !== undefined && replace !== undefined) add(kind, token, token, replace)
    if (word === 'is' && after === 'null' && next) add('sql-negation', token, next, 'is not null')
    if (word === 'is' && after === 'not' && tokens[at + 2]?.text === 'null')
      add('sql-negation', token, tokens[at + 2] ?? token, 'is null')
    if (
      word === 'not' &&
      !['is', 'if', 'do', 'as'].includes(before) &&
      !['null', 'materialized'].includes(after)
    )
      add('sql-negation', token, token, '')
    if (word === 'left' && after === 'join') add('sql-join', token, token, '')
  }
  return edits
}

type Add = (kind: Kind, from: Token, to: Token, replace: string) => void

function lockEdits(tokens: readonly Token[], at: number, add: Add): void {
  const from = tokens[at]
  let last = at + 1
  while (['no', 'key'].includes(tokens[last]?.text ?? '')) last++
  if (from === undefined || !['update', 'share'].includes(tokens[last]?.text ?? '')) return
  if (tokens[last + 1]?.text === 'of') last += 2
  const skips = tokens[last + 1]?.text === 'skip' && tokens[last + 2]
  if (skips && tokens[last + 1]) add('sql-no-lock', tokens[last + 1] ?? from, skips, '')
  if (skips) last += 2
  add('sql-no-lock', from, tokens[last] ?? from, '')
}

const ends = new Set([
  ...['and', 'or', 'group', 'order', 'returning', 'limit', 'for', 'union', 'intersect', 'except', 'where'],
  ...[
    'join',
    'left',
    'right',
    'inner',
    'cross',
    'full',
    'window',
    'on',
    'having',
    'then',
    'else',
    'end',
    'when',
  ],
  ...['as', 'select', 'set', 'offset', 'do', 'insert', 'update', 'delete', 'using', ',', ';'],
])

/** The last token of the clause that begins at `first`. */
function clauseEnd(tokens: readonly Token[], first: number): Token {
  const begin = tokens[first]
  if (begin === undefined) throw new Error('a clause has a first token')
  let last = begin
  let cases = 0
  let isBetween = false
  for (let at = first; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined || token.depth < begin.depth) break
    if (token.depth === begin.depth) {
      const { text } = token
      if (at > first && cases === 0 && !(text === 'and' && isBetween) && ends.has(text)) break
      if (at > first && text === 'from' && tokens[at - 1]?.text !== 'distinct') break
      if (text === 'between') isBetween = true
      if (text === 'and') isBetween = false
      if (text === 'case') cases++
      if (text === 'end') cases--
    }
    last = token
  }
  return last
}

function isOfBetween(tokens: readonly Token[], at: number): boolean {
  const depth = tokens[at]?.depth
  for (let before = at - 1; before >= 0; before--) {
    const token = tokens[before]
    if (token === undefined || token.depth !== depth) continue
    if (token.text === 'between') return true
    if (ends.has(token.text)) return false
  }
  return false
}

const words: Readonly<Record<string, readonly [Kind, string]>> = {
  '<': ['sql-boundary', '<='],
  '<=': ['sql-boundary', '<'],
  '>': ['sql-boundary', '>='],
  '>=': ['sql-boundary', '>'],
  '<>': ['sql-equality', '='],
  or: ['sql-logic', 'and'],
  true: ['sql-boolean', 'false'],
  false: ['sql-boolean', 'true'],
  desc: ['sql-order', ''],
}
const functions: Readonly<Record<string, readonly [Kind, string]>> = {
  least: ['sql-extreme', 'greatest'],
  greatest: ['sql-extreme', 'least'],
  min: ['sql-extreme', 'max'],
  max: ['sql-extreme', 'min'],
  floor: ['sql-rounding', 'ceil'],
  ceil: ['sql-rounding', 'floor'],
  round: ['sql-rounding', 'trunc'],
  trunc: ['sql-rounding', 'round'],
}

function otherWord(word: string, before: string, after: string): readonly [Kind, string] | undefined {
  if (after === '(' && functions[word] !== undefined) return functions[word]
  if ((word === '+' || word === '-') && isOperand(before) && after !== '')
    return ['sql-arithmetic', word === '+' ? '-' : '+']
  return words[word]
}

function isOperand(token: string): boolean {
  return token === ')' || /^[\w$'].*/s.test(token)
}

function argumentsAt(tokens: readonly Token[], open: number): number {
  const depth = (tokens[open]?.depth ?? 0) + 1
  let count = 1
  for (const token of tokens.slice(open + 1)) {
    if (token.depth < depth) break
    if (token.depth === depth && token.text === ',') count++
  }
  return count
}

const lexeme = /--[^\n]*|'[^']*'|"[^"]*"|\$\d+|[\w.]+|::|->>?|\|\||@>|<@|<=|>=|<>|!=|[-+*/<>=(),;]|\S/y

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (let at = 0; at < text.length; ) {
    const hole = text.startsWith('${', at) ? endOfHole(text, at) : undefined
    lexeme.lastIndex = at
    const found = hole === undefined ? lexeme.exec(text)?.[0] : text.slice(at, hole)
    if (found === undefined) {
      at++
      continue
    }
    if (found === ')') depth--
    if (!found.startsWith('--') && found !== '`')
      tokens.push({ text: found, start: at, end: at + found.length, depth })
    if (found === '(') depth++
    at += found.length
  }
  return tokens
}

function endOfHole(text: string, from: number): number {
  let open = 0
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '{') open++
    if (text[at] === '}') open--
    if (open === 0) return at + 1
  }
  return text.length
}

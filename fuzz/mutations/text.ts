// Mutations of plain text: ranges are removed, repeated or replaced, and tokens that parsers often misread are
// inserted.
import type { Random } from '../../test/harness/random.ts'

/** Tokens that are empty, extreme, in another alphabet, or special to some parser. */
const tokens: readonly string[] = [
  '',
  '\0',
  '\r\n',
  '\n',
  '\t',
  ' ',
  '"',
  "'",
  '\\',
  '\\u0000',
  '\\ud800',
  '%00',
  '%',
  '%C0%AF',
  '&',
  '=',
  ';',
  ',',
  ':',
  '/../',
  '{{',
  '<script>',
  '\ud800',
  '\udfff',
  '\ufeff',
  '\u202e',
  '\u0130',
  'ﬀ',
  '𝟙',
  '٣',
  'é',
  '\u0301',
  '0',
  '-0',
  '-1',
  '1e309',
  '1e-9',
  '0x10',
  '9007199254740993',
  '18446744073709551616',
  '99999999999999999999999999999999999999',
  '0.000000000000000001',
  'NaN',
  'Infinity',
  'null',
  'true',
  '[]',
  '{}',
  '[[',
  '__proto__',
  'constructor',
  'toString',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '275760-09-13',
  '1970-01-01 00:00:00',
]

const MOST_CHARACTERS = 200_000

type Edit = (text: string, random: Random, other: string) => string

const edits: readonly Edit[] = [
  // Removes, changes or repeats a character.
  (text, random) => cut(text, random, 1, ''),
  (text, random) => cut(text, random, 1, String.fromCharCode(random.below(256))),
  (text, random) => cut(text, random, 0, text.charAt(random.below(text.length || 1))),
  // Removes or repeats a range, or keeps only the beginning or the end of the text.
  (text, random) => cut(text, random, random.below(Math.min(64, text.length + 1)), ''),
  (text, random) => cut(text, random, 0, range(text, random)),
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text, random) => text.slice(random.below(text.length + 1)),
  // Inserts a token, or replaces a few characters or a word.
  (text, random) => cut(text, random, 0, random.pick(tokens) ?? ''),
  (text, random) => cut(text, random, random.below(8), random.pick(tokens) ?? ''),
  (text, random) => text.replace(pickWord(text, random), () => random.pick(tokens) ?? ''),
  (text, random) => text.replace(pickWord(text, random), () => pickWord(text, random)),
  // Inserts a range up to 512 times.
  (text, random) => cut(text, random, 0, range(text, random).repeat(2 ** random.below(10))),
  // Combines parts of two texts.
  (text, random, other) =>
    text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1)),
  (text, random, other) => cut(text, random, random.below(8), range(other, random)),
]

export function mutateText(text: string, random: Random, other = text): string {
  const edit = random.pick(edits)
  return (edit?.(text, random, other) ?? text).slice(0, MOST_CHARACTERS)
}

export function pickToken(random: Random): string {
  const token = random.pick(tokens) ?? ''
  return random.chance(0.05) ? token.repeat(1 + random.below(3_000)) : token
}

function cut(text: string, random: Random, length: number, put: string): string {
  const at = random.below(text.length + 1)
  return text.slice(0, at) + put + text.slice(at + length)
}

function range(text: string, random: Random): string {
  const from = random.below(text.length + 1)
  return text.slice(from, from + 1 + random.below(40))
}

function pickWord(text: string, random: Random): string {
  const words = text.slice(0, 20_000).match(/\w+/g) ?? []
  return random.pick(words) ?? ''
}

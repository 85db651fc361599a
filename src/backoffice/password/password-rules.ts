// Which passwords are refused. Length is the rule that counts; beside it only passwords that guessing programs try first:
// words and names with digits around them, keyboard rows, repetitions, and what is known about the person.
import type { FieldText } from '../field-texts.ts'
import { atField } from '../problem.ts'
import { commonWords, walks } from './common-words.ts'

const SHORTEST = 10

/** What others know about the person: the address, the name, the company. */
export function checkPassword(password: string, known: readonly string[]): void {
  const advice = adviceOn(password, known)
  if (advice !== undefined) throw atField('password', advice)
}

/** Undefined if the password is good enough. */
export function adviceOn(password: string, known: readonly string[] = []): FieldText | undefined {
  const text = password.normalize('NFKC').toLowerCase()
  if ([...text].length < SHORTEST) return `Choose a password of at least ${SHORTEST} characters.`
  if (new Set(text).size < 5 || isWalk(text) || isRepeated(text))
    return 'This password is a pattern that is easily guessed. Choose another one.'
  if (/^[\d\W_]+$/.test(text) && /^[\x20-\x7e]+$/.test(text) && text.length < 16)
    return 'Digits alone are easily guessed. Add words.'
  if (isMadeOf(text, [...commonWords, ...known.flatMap(partsOf)]))
    return 'This password is one of the first that are tried. Add a word that nobody connects with you.'
  return undefined
}

function isRepeated(text: string): boolean {
  return /^(.{1,6})\1+.?$/u.test(text)
}

/** Three quarters of its characters follow each other on a keyboard or in the alphabet. */
function isWalk(text: string): boolean {
  const pairs = [...text].slice(1).map((character, at) => `${text[at]}${character}`)
  const steps = pairs.filter((pair) => {
    const [from = '', to = ''] = pair
    return from === to || walks.some((walk) => walk.includes(pair) || walk.includes(`${to}${from}`))
  })
  return steps.length * 4 >= pairs.length * 3
}

/** At least three characters: shorter parts would forbid too much. */
function partsOf(known: string): string[] {
  return known
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length >= 3)
}

const spellings: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
}

/** Whether nothing but such words is left, once digits and signs around and between them are gone. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const known = new Set(words)
  const trimmed = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const letters = (from: string) => [...from].map((one) => spellings[one] ?? one).join('')
  const plain = [text, trimmed].flatMap((one) => [one, letters(one)])
  return plain.map((one) => one.replace(/[^\p{L}]/gu, '')).some((one) => one !== '' && splits(one, known))
}

/** Whether the text can be cut into known words. */
function splits(text: string, words: ReadonlySet<string>): boolean {
  const reached = new Set([0])
  for (let end = 1; end <= text.length; end++)
    for (const start of [...reached]) if (words.has(text.slice(start, end))) reached.add(end)
  return reached.has(text.length)
}

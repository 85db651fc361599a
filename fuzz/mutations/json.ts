// Mutations of JSON values: other types, extreme values, and names and elements that are removed, repeated or
// exchanged. The text stays JSON, so that the parser accepts it.
import type { Random } from '../../test/harness/random.ts'
import { mutateText, pickToken } from './text.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Changes a JSON text. Returns undefined for any other text. */
export function mutateJson(text: string, random: Random, other: string): string | undefined {
  const value = parse(text)
  if (value === undefined) return undefined
  const changed = change(value, random, leavesOf(parse(other) ?? value))
  return random.chance(0.03) ? doubledName(changed, random) : JSON.stringify(changed)
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Changes the value at a random place. */
function change(value: Json, random: Random, known: readonly Json[]): Json {
  const isInner = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isInner || random.chance(0.02)) return replaced(value, random, known)
  if (Array.isArray(value)) {
    const at = random.below(value.length)
    if (random.chance(0.2)) return value.toSpliced(at, 1)
    if (random.chance(0.2)) return value.toSpliced(at, 0, ...value.slice(0, 1 + random.below(20)))
    return value.with(at, change(value[at] ?? null, random, known))
  }
  const names = Object.keys(value)
  const name = random.pick(names) ?? ''
  if (random.chance(0.12)) return Object.fromEntries(Object.entries(value).filter(([one]) => one !== name))
  if (random.chance(0.06)) return { ...value, [mutateText(name, random)]: value[name] ?? null }
  if (random.chance(0.06)) return { ...value, [name]: value[random.pick(names) ?? ''] ?? null }
  return { ...value, [name]: change(value[name] ?? null, random, known) }
}

function replaced(value: Json, random: Random, known: readonly Json[]): Json {
  if (random.chance(0.3) && typeof value === 'string') return mutateText(value, random)
  if (random.chance(0.3)) return random.pick(known) ?? null
  if (random.chance(0.5)) return pickToken(random)
  return random.pick<() => Json>(others)?.() ?? nested(value, 1 + random.below(40))
}

const others: readonly (() => Json)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => 1e300,
  () => Number.MAX_SAFE_INTEGER,
  () => '',
  () => [],
  () => ({}),
  () => 'x'.repeat(5_000),
  () => Array.from({ length: 1_001 }, () => ({})),
]

function nested(value: Json, depth: number): Json {
  return depth === 0 ? value : nested(depth % 2 === 0 ? [value] : { a: value }, depth - 1)
}

/** Returns all texts, numbers and other simple values. Such a value of one input may be valid in a field of another. */
function leavesOf(value: Json): Json[] {
  if (typeof value !== 'object' || value === null) return [value]
  return Object.values(value).flatMap(leavesOf)
}

/**
 * Writes an object with one name twice and different values: JSON allows this, and parsers differ in what they read.
 */
function doubledName(value: Json, random: Random): string {
  const text = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return text
  const name = random.pick(Object.keys(value))
  return name === undefined
    ? text
    : `{${JSON.stringify(name)}:${JSON.stringify(pickToken(random))},${text.slice(1)}`
}

// Writes a JSON document as YAML. Texts are quoted as in JSON, which YAML reads the same way.
import type { Json } from './schemas.ts'

export function toYaml(value: Json): string {
  return `${linesOf(value).join('\n')}\n`
}

function linesOf(value: Json): string[] {
  if (isScalar(value) || isEmpty(value)) return [JSON.stringify(value)]
  if (Array.isArray(value)) return value.flatMap((one) => nested('-', one, true))
  return Object.entries(value).flatMap(([name, one]) => nested(`${keyOf(name)}:`, one, false))
}

/** `head` and the value: on one line if it fits there, or else the value below it. */
function nested(head: string, value: Json, startsBesideHead: boolean): string[] {
  const lines = linesOf(value)
  const [first = '', ...more] = lines
  if (isScalar(value) || isEmpty(value)) return [`${head} ${first}`]
  if (startsBesideHead) return [`${head} ${first}`, ...more.map((line) => `  ${line}`)]
  return [head, ...lines.map((line) => `  ${line}`)]
}

/** Names such as `no` or `200` would be read as other types. */
function keyOf(name: string): string {
  return /^[a-z_][\w-]{3,}$/i.test(name) && !/^(null|true|false)$/i.test(name) ? name : JSON.stringify(name)
}

function isScalar(value: Json): value is string | number | boolean {
  return typeof value !== 'object'
}

function isEmpty(value: Json): boolean {
  return Object.keys(value).length === 0
}

// Checks an XML document against a schema that is written as a table of elements, with their order, number and texts.
// The schema has sequences, choices, simple types and attributes, which is all that our messages need.
import { XMLParser } from 'fast-xml-parser'
import { isObject } from '../../src/platform/base/object.ts'

/** A simple type: returns the error of a text, or undefined. */
export type Simple = (text: string) => string | undefined

export type Content =
  | { readonly sequence: readonly Child[] }
  | { readonly choice: readonly Child[] }
  | { readonly text: Simple; readonly attributes?: Readonly<Record<string, Simple>> }

export type Child = {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly content: Content
}

export const one = (name: string, content: Content): Child => ({ name, least: 1, most: 1, content })
export const optional = (name: string, content: Content): Child => ({ ...one(name, content), least: 0 })
export const many = (name: string, content: Content): Child => ({ ...one(name, content), most: Infinity })

export function pattern(allowed: RegExp): Simple {
  return (text) => (allowed.test(text) ? undefined : `"${text}" does not match ${allowed}`)
}

export function lengthOf(least: number, most: number): Simple {
  return (text) => {
    const length = [...text].length
    return length >= least && length <= most
      ? undefined
      : `"${text}" has ${length} characters, not ${least} to ${most}`
  }
}

export const both =
  (first: Simple, second: Simple): Simple =>
  (text) =>
    first(text) ?? second(text)

type Node = {
  readonly name: string
  readonly children: readonly Node[]
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Returns the complaints. The list is empty if the document is valid. */
export function validate(xml: string, root: Child, namespace: string): string[] {
  const nodes = readNodes(parser.parse(xml, true)).filter(({ name }) => !name.startsWith('?'))
  const [document, ...others] = nodes
  if (document === undefined || others.length > 0 || document.name !== root.name)
    return [`the root is not ${root.name}`]
  const { xmlns = '', ...attributes } = document.attributes
  if (xmlns !== namespace) return [`the namespace is ${xmlns}`]
  return check({ ...document, attributes }, root.content, root.name)
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  trimValues: false,
})

function readNodes(list: unknown): Node[] {
  return (Array.isArray(list) ? list : []).filter(isObject).flatMap((entry) => {
    const [name] = Object.keys(entry).filter((key) => key !== ':@')
    if (name === undefined || name === '#text') return []
    const inside: readonly unknown[] = Array.isArray(entry[name]) ? entry[name] : []
    const texts = inside.filter(isObject).map((part) => part['#text'])
    const attributes = isObject(entry[':@']) ? entry[':@'] : {}
    return {
      name,
      children: readNodes(inside),
      text: texts.filter((text) => typeof text === 'string').join(''),
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, String(value)])),
    }
  })
}

function check(node: Node, content: Content, path: string): string[] {
  if ('text' in content) return checkSimple(node, content.text, content.attributes ?? {}, path)
  const stray = Object.keys(node.attributes).map((name) => `${path} has an attribute ${name}`)
  const loose = node.text.trim() === '' ? [] : [`${path} has text`]
  const inside =
    'choice' in content
      ? checkChoice(node, content.choice, path)
      : checkSequence(node, content.sequence, path)
  return [...stray, ...loose, ...inside]
}

function checkSimple(
  node: Node,
  type: Simple,
  attributes: Readonly<Record<string, Simple>>,
  path: string,
): string[] {
  const wrong = [
    type(node.text),
    ...node.children.map(({ name }) => `contains ${name}`),
    ...Object.entries(attributes).map(([name, of]) => of(node.attributes[name] ?? '')),
    ...Object.keys(node.attributes).map((name) =>
      name in attributes ? undefined : `has an attribute ${name}`,
    ),
  ]
  return wrong.flatMap((complaint) => (complaint === undefined ? [] : [`${path}: ${complaint}`]))
}

/** Checks that the elements come in the order of the table. */
function checkSequence({ children }: Node, sequence: readonly Child[], path: string): string[] {
  const complaints: string[] = []
  let at = 0
  for (const { name, least, most, content } of sequence) {
    let count = 0
    for (; children[at]?.name === name; at += 1) {
      const child = children[at]
      if (child !== undefined) complaints.push(...check(child, content, `${path}/${name}`))
      count += 1
    }
    if (count < least || count > most) complaints.push(`${path} has ${count} of ${name}`)
  }
  return at < children.length
    ? [...complaints, `${path}: ${children[at]?.name} is not expected here`]
    : complaints
}

function checkChoice({ children }: Node, choice: readonly Child[], path: string): string[] {
  const [child, ...others] = children
  const chosen = choice.find(({ name }) => name === child?.name)
  if (child === undefined || chosen === undefined || others.length > 0)
    return [`${path} is not one of ${choice.map(({ name }) => name).join(', ')}`]
  return check(child, chosen.content, `${path}/${chosen.name}`)
}

// Reads forms with brackets: in `a[b]=1`, `b` is a field of `a`; `a[]=1` adds an element to the list `a`.
import { type Fields, isObject } from '../../src/platform/base/object.ts'

export function readForm(text: string): Fields {
  const form: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '')
    put(form, name.endsWith('[]') ? [...path, ''] : path, value)
  }
  return form
}

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) into[name] = value
  else if (rest[0] === '') into[name] = [...listIn(into, name), value]
  else {
    const inner: Record<string, unknown> = { ...fieldsIn(into, name) }
    put(inner, rest, value)
    into[name] = inner
  }
}

export function fieldsIn(form: Fields, name: string): Fields {
  const value = form[name]
  return isObject(value) ? value : {}
}

export function listIn(form: Fields, name: string): readonly string[] {
  const value = form[name]
  return Array.isArray(value) ? value.map(String) : []
}

export function textIn(form: Fields, name: string): string {
  const value = form[name]
  return typeof value === 'string' ? value : ''
}

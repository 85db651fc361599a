// The state of a form. The typed values stay after every response. The problems that the server reports are shown at
// their fields.
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import { Refusal } from '../api/refusal.ts'
import { fieldTextWords } from '../words/field-text.ts'
import { useWords } from '../words/use-words.tsx'

export type Values = Readonly<Record<string, unknown>>
type Typed = ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement> | string | null
type NamesOf<V, Kind> = { [Name in keyof V & string]: V[Name] extends Kind ? Name : never }[keyof V & string]

export type Form<V extends Values> = {
  readonly values: V
  readonly isSending: boolean
  /** The last refusal. If it has problems of single fields, they are shown at these fields. */
  readonly refusal: Refusal | undefined
  set<Name extends keyof V>(name: Name, value: V[Name]): void
  field(name: NamesOf<V, string>): {
    readonly name: string
    readonly value: string
    readonly error: string | undefined
    onChange(typed: Typed): void
  }
  check(name: NamesOf<V, boolean>): {
    readonly name: string
    readonly checked: boolean
    onChange(event: ChangeEvent<HTMLInputElement>): void
  }
  /** Returns the problem at a field. The form itself need not have this field. */
  problemAt(name: string): string | undefined
  reset(values?: V): void
  submit(event: FormEvent<HTMLFormElement>): void
}

export function useForm<V extends Values>(initial: V, send: (values: V) => Promise<unknown>): Form<V> {
  const [values, setValues] = useState(initial)
  const [refusal, setRefusal] = useState<Refusal>()
  /** The fields that were changed after the server's last check. Their problems may no longer apply. */
  const [edited, setEdited] = useState<ReadonlySet<keyof V>>(new Set())
  const [isSending, setIsSending] = useState(false)
  // A ref is needed, because state changes too late to stop the second of two quick clicks.
  const isBusy = useRef(false)

  const change = (name: keyof V, value: unknown) => {
    setValues((before) => ({ ...before, [name]: value }))
    setEdited((before) => (before.has(name) ? before : new Set([...before, name])))
  }
  const fieldText = useWords(fieldTextWords)
  const problemAt = (name: string) => {
    const found = Object.entries(refusal?.fields ?? {}).find(([path]) => isAbout(path, name))
    return found === undefined || edited.has(name) ? undefined : fieldText(found[1])
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React's events also bubble out of dialogs. Without this, a form in a dialog would also submit the form around the
    // dialog.
    event.stopPropagation()
    if (isBusy.current) return
    const form = event.currentTarget
    isBusy.current = true
    setIsSending(true)
    setRefusal(undefined)
    setEdited(new Set())
    try {
      await send(values)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
      focusFirst(form, Object.keys(error.fields))
    } finally {
      isBusy.current = false
      setIsSending(false)
    }
  }

  return {
    values,
    isSending,
    refusal,
    set: change,
    problemAt,
    field: (name) => ({
      name,
      value: String(values[name]),
      error: problemAt(name),
      onChange: (typed) => change(name, textOf(typed)),
    }),
    check: (name) => ({
      name,
      checked: values[name] === true,
      onChange: ({ currentTarget: { checked } }) => change(name, checked),
    }),
    reset: (next = initial) => {
      setValues(next)
      setRefusal(undefined)
      setEdited(new Set())
    },
    submit: (event) => void submit(event),
  }
}

export function isSame(one: Values, other: Values): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function textOf(typed: Typed): string {
  return typeof typed === 'string' ? typed : (typed?.currentTarget.value ?? '')
}

/** True if the server's path names the field. A path is the place in the request, such as `fields.city` or `ips.0`. */
function isAbout(path: string, name: string): boolean {
  return path.split('.').includes(name)
}

/**
 * Focuses the first field with a problem after the problem is shown. A screen reader then reads the field and the
 * problem.
 */
function focusFirst(form: HTMLFormElement, paths: readonly string[]): void {
  requestAnimationFrame(() => {
    for (const field of form.elements)
      if (isField(field) && paths.some((path) => isAbout(path, field.name))) return field.focus()
  })
}

function isField(element: Element): element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  return ['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName)
}

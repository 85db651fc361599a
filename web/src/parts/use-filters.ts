// The filters of a list, which are in the page's address. Therefore a view can be shared, and the back button works.
import { useSearchParams } from 'wouter'

export type FilterValues<Name extends string> = Readonly<Partial<Record<Name, string>>>

export type Filters<Name extends string> = {
  readonly values: FilterValues<Name>
  readonly isEmpty: boolean
  /** Sets filters. Undefined or an empty text removes a filter. */
  set(changes: Readonly<Partial<Record<Name, string | undefined>>>): void
  clear(): void
}

export function useFilters<const Name extends string>(names: readonly Name[]): Filters<Name> {
  const [params, setParams] = useSearchParams()
  const present = names.flatMap((name) => {
    const value = params.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  const values: Partial<Record<Name, string>> = {}
  for (const [name, value] of present) values[name] = value
  const set: Filters<Name>['set'] = (changes) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      for (const name of names) {
        if (!Object.hasOwn(changes, name)) continue
        const value = changes[name]
        if (value === undefined || value === '') next.delete(name)
        else next.set(name, value)
      }
      return next
    })
  const clear = () => set(Object.fromEntries(names.map((name) => [name, undefined])) as FilterValues<Name>)
  return { values, isEmpty: present.length === 0, set, clear }
}

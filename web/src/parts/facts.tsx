// A list of names and values, for example at the top of a side panel. Missing values are left out.
import type { ReactNode } from 'react'

export type Fact = readonly [name: string, value: ReactNode]

export function Facts({ of }: { readonly of: readonly Fact[] }) {
  const present = of.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <dl className="facts">
      {present.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

// Filters as chips. A chip opens a small form, and shows the value of its filter if a value is set.
import { Button, Group } from '@mantine/core'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import { ChoiceFilter, only, PeriodFilter, TextFilter } from './filter-chips.tsx'
import { MerchantFilter } from './merchant-filter.tsx'
import type { Filters } from './use-filters.ts'

export type FilterKind<Name extends string> =
  | { readonly kind: 'text'; readonly name: Name; readonly label: string }
  | {
      readonly kind: 'choice'
      readonly name: Name
      readonly label: string
      readonly choices: readonly { readonly value: string; readonly label: string }[]
    }
  /** A filter by the merchant's number. Without it, the list shows all merchants. */
  | { readonly kind: 'merchant'; readonly name: Name; readonly label: string }
  /**
   * Two days, both included, such as `2026-01-31`. If a preset is chosen, both parameters contain the name of the
   * preset.
   */
  | {
      readonly kind: 'period'
      readonly from: Name
      readonly until: Name
      readonly label: string
      readonly presets?: Readonly<Record<string, string>>
    }

type Props<Name extends string> = {
  readonly filters: Filters<Name>
  readonly of: readonly FilterKind<Name>[]
}

export function FilterBar<Name extends string>({ filters, of }: Props<Name>) {
  const parts = useWords(partsWords)
  return (
    <Group gap="xs" role="group" aria-label={parts.filters}>
      {of.map((one) => {
        if (one.kind === 'text') return <TextFilter key={one.name} filters={filters} {...one} />
        if (one.kind === 'choice') return <ChoiceFilter key={one.name} filters={filters} {...one} />
        if (one.kind === 'merchant')
          return (
            <MerchantFilter
              key={one.name}
              label={one.label}
              merNo={filters.values[one.name]}
              choose={(merNo) => filters.set(only(one.name, merNo))}
            />
          )
        return <PeriodFilter key={one.from} filters={filters} {...one} />
      })}
      {!filters.isEmpty && (
        <Button variant="subtle" size="xs" onClick={filters.clear}>
          {parts.clearAll}
        </Button>
      )}
    </Group>
  )
}

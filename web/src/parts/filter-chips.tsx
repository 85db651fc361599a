// The kinds of filters of `FilterBar`.
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { partsWords } from '../words/parts.ts'
import { useLanguage, useWords } from '../words/use-words.tsx'
import { FilterChip } from './filter-chip.tsx'
import { formatDays } from './moment.tsx'
import type { Filters } from './use-filters.ts'

type Common<Name extends string> = { readonly filters: Filters<Name>; readonly label: string }

export function TextFilter<Name extends string>({
  filters,
  label,
  name,
}: Common<Name> & { readonly name: Name }) {
  const change = (value: string | undefined) => filters.set(only(name, value))
  return (
    <FilterChip label={label} value={filters.values[name]} remove={() => change(undefined)}>
      {(close) => <TextForm label={label} first={filters.values[name] ?? ''} apply={after(close, change)} />}
    </FilterChip>
  )
}

function TextForm(props: {
  readonly label: string
  readonly first: string
  readonly apply: (value: string) => void
}) {
  const { label, first, apply } = props
  const [text, setText] = useState(first)
  return (
    <FilterForm apply={() => apply(text.trim())}>
      <TextInput
        label={label}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        data-autofocus
      />
    </FilterForm>
  )
}

type Choices = readonly { readonly value: string; readonly label: string }[]

export function ChoiceFilter<Name extends string>({
  filters,
  label,
  name,
  choices,
}: Common<Name> & { readonly name: Name; readonly choices: Choices }) {
  const value = filters.values[name]
  const shown = choices.find((choice) => choice.value === value)?.label ?? value
  const change = (next: string | undefined) => filters.set(only(name, next))
  return (
    <FilterChip label={label} value={shown} remove={() => change(undefined)}>
      {(close) => (
        <Radio.Group label={label} value={value ?? null} onChange={after(close, change)}>
          <Stack gap="xs" mt="xs">
            {choices.map((choice) => (
              <Radio key={choice.value} value={choice.value} label={choice.label} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </FilterChip>
  )
}

export function PeriodFilter<Name extends string>({
  filters,
  label,
  from,
  until,
  presets = {},
}: Common<Name> & { readonly from: Name; readonly until: Name; readonly presets?: Presets }) {
  const [first, last] = [filters.values[from], filters.values[until]]
  const { locale } = useLanguage()
  const preset = first !== undefined && first === last ? presets[first] : undefined
  const days = first === undefined && last === undefined ? undefined : formatDays(first, last, locale)
  const value = preset ?? days
  const change = (next: readonly [string | undefined, string | undefined]) =>
    filters.set({ ...only(from, next[0]), ...only(until, next[1]) })
  return (
    <FilterChip label={label} value={value} remove={() => change([undefined, undefined])}>
      {(close) => (
        <PeriodForm
          first={preset === undefined ? (first ?? '') : ''}
          last={preset === undefined ? (last ?? '') : ''}
          presets={presets}
          apply={after(close, change)}
        />
      )}
    </FilterChip>
  )
}

/** The labels of named periods. */
type Presets = Readonly<Record<string, string>>

function PeriodForm(props: {
  readonly first: string
  readonly last: string
  readonly presets: Presets
  readonly apply: (days: readonly [string, string]) => void
}) {
  const parts = useWords(partsWords)
  const [first, setFirst] = useState(props.first)
  const [last, setLast] = useState(props.last)
  return (
    <FilterForm apply={() => props.apply([first, last])}>
      <Group gap="xs">
        {Object.entries(props.presets).map(([name, label]) => (
          <Button key={name} variant="default" size="xs" onClick={() => props.apply([name, name])}>
            {label}
          </Button>
        ))}
      </Group>
      <TextInput
        type="date"
        label={parts.from}
        value={first}
        onChange={({ currentTarget }) => setFirst(currentTarget.value)}
        data-autofocus
      />
      <TextInput
        type="date"
        label={parts.until}
        value={last}
        onChange={({ currentTarget }) => setLast(currentTarget.value)}
      />
    </FilterForm>
  )
}

function FilterForm({ apply, children }: { readonly apply: () => void; readonly children: React.ReactNode }) {
  const parts = useWords(partsWords)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {children}
        <Group>
          <Button type="submit" size="xs">
            {parts.apply}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export function only<Name extends string>(name: Name, value: string | undefined) {
  const changes: Partial<Record<Name, string | undefined>> = {}
  changes[name] = value
  return changes
}

function after<Value>(close: () => void, change: (value: Value) => void) {
  return (value: Value) => {
    change(value)
    close()
  }
}

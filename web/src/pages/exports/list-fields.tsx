import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import type { ChangeEvent } from 'react'
import type { InputOf } from '../../api/send.ts'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { casesWords } from '../../words/cases.ts'
import { exportsWords } from '../../words/exports.ts'
import { ordersWords } from '../../words/orders.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from '../developers/chosen-merchant.tsx'

type Wanted = InputOf<'POST /exports'>['body']
type List = NonNullable<Wanted['list']>

const reads = {
  orders: 'orders.read',
  refunds: 'refunds.read',
  payouts: 'payouts.read',
  disputes: 'disputes.read',
} as const satisfies Record<List, string>
const lists = ['orders', 'refunds', 'payouts', 'disputes'] as const

export const everything = { list: 'orders', state: '', method: '', currency: '' }

type Chosen = typeof everything & { readonly from?: string; readonly to?: string }

/** Returns the wanted export. Filters by method and by currency exist only for the list of orders. */
export function wantedOf({ list: named, state, method, currency, from = '', to = '' }: Chosen): Wanted {
  const list = listOf(named)
  const typed = { state, from, to, ...(list === 'orders' && { method, currency: currency.trim() }) }
  const filter = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''))
  return { list, filter, columns: '' }
}

function listOf(text: string): List {
  return lists.find((list) => list === text) ?? 'orders'
}

type Name = keyof typeof everything

/** The fields with which a person chooses a list. The form around them may have other fields. */
type Props = {
  readonly chosen: ChosenMerchant
  readonly values: typeof everything
  readonly problemAt: (name: Name) => string | undefined
  readonly set: (name: Name, value: string) => void
}

export function ListFields({ chosen, values, problemAt, set }: Props) {
  const words = useWords(exportsWords)
  const orders = useWords(ordersWords)
  const payouts = useWords(payoutsWords)
  const cases = useWords(casesWords)
  const may = useMay()
  const isForAll = isOperator(useMe()) && chosen.merNo === undefined
  // The list of payouts exists only for a single merchant.
  const shown = lists.filter((one) => may(reads[one]) && !(isForAll && one === 'payouts'))
  const list = listOf(values.list)
  const states: Readonly<Record<string, string>> = {
    orders: orders.states,
    refunds: orders.refundStates,
    payouts: payouts.states,
    disputes: cases.states,
  }[list]
  const choices = (of: Readonly<Record<string, string>>) => [
    { value: '', label: words.any },
    ...Object.entries(of).map(([value, label]) => ({ value, label })),
  ]
  const field = (name: Name) => ({
    name,
    value: values[name],
    error: problemAt(name),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
      set(name, currentTarget.value)
      // The chosen state is removed, because each list has its own states.
      if (name === 'list') set('state', '')
    },
  })
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <NativeSelect
        label={words.list}
        data={shown.map((one) => ({ value: one, label: words.lists[one] }))}
        {...field('list')}
      />
      <NativeSelect label={words.state} data={choices(states)} {...field('state')} />
      {list === 'orders' && (
        <>
          <NativeSelect label={words.method} data={choices(orders.methods)} {...field('method')} />
          <TextInput label={words.currency} maxLength={5} placeholder="USD" {...field('currency')} />
        </>
      )}
    </SimpleGrid>
  )
}

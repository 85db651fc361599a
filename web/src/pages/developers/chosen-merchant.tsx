// Operators choose a merchant, whose number is in the address; staff see their own company.
import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { isOperator, useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'

export type ChosenMerchant = { readonly merNo?: number }

type Props = { readonly children: (chosen: ChosenMerchant) => ReactNode }

export function WithMerchant({ children }: Props) {
  const me = useMe()
  const { values } = useFilters(['merNo'])
  if (!isOperator(me)) return children({})
  return /^\d{1,10}$/.test(values.merNo ?? '') ? (
    children({ merNo: Number(values.merNo) })
  ) : (
    <ChooseMerchant />
  )
}

function ChooseMerchant() {
  const { developers } = useWords()
  const filters = useFilters(['merNo'])
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    filters.set({ merNo: text.trim() })
  }
  return (
    <EmptyState title={developers.chooseMerchant} hint={developers.chooseMerchantHint}>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            label={developers.merchant}
            inputMode="numeric"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button type="submit">{developers.show}</Button>
        </Group>
      </form>
    </EmptyState>
  )
}

/** Operators have these pages among those of merchants. */
export function usePath(page: 'requests' | 'notifications' | 'keys' | 'signature'): string {
  return isOperator(useMe()) ? `/merchant-${page}` : `/developers/${page}`
}

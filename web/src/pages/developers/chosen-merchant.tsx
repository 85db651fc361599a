// Operators choose a merchant, whose number is in the address; staff see their own company.
import { Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useCall } from '../../api/use-call.ts'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'

export type ChosenMerchant = { readonly merNo?: number }

type Props = { readonly children: (chosen: ChosenMerchant) => ReactNode }

export function WithMerchant({ children }: Props) {
  const me = useMe()
  const { values } = useFilters(['merNo'])
  if (!isOperator(me)) return children({})
  if (!/^\d{1,10}$/.test(values.merNo ?? '')) return <ChooseMerchant />
  const merNo = Number(values.merNo)
  return (
    <>
      <OfMerchant merNo={merNo} />
      {children({ merNo })}
    </>
  )
}

/** Whose data this is, and the way back to the merchant's page. Calls that named no known merchant are under number 0. */
function OfMerchant({ merNo }: { readonly merNo: number }) {
  const { merchants } = useWords()
  const may = useMay()('merchants.read') && merNo > 0
  const found = useCall('GET /merchants/:merNo', { params: { merNo } }, { enabled: may })
  const label = found.data === undefined ? String(merNo) : merchants.one(found.data.merchant.name, merNo)
  return (
    <Text size="sm" c="dimmed">
      {`${merchants.merchant}: `}
      {may ? (
        <Anchor component={Link} underline="always" href={`/merchants/${merNo}`} size="sm">
          {label}
        </Anchor>
      ) : (
        label
      )}
    </Text>
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

// The choice of a merchant. Operators choose a merchant, whose number is in the page's address. A merchant's staff see
// their own company.
import { Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { FieldText } from '../../../../src/platform/errors/page-texts.ts'
import { useCall } from '../../api/use-call.ts'
import { EmptyState } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { developersWords } from '../../words/developers.ts'
import { fieldTextWords } from '../../words/field-text.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { useWords } from '../../words/use-words.tsx'

export type ChosenMerchant = { readonly merNo?: number }

type Props = { readonly children: (chosen: ChosenMerchant) => ReactNode }

/**
 * Shows the page of a merchant. With `orAll`, operators who have not chosen a merchant see the page of all merchants.
 */
export function WithMerchant({ orAll = false, children }: Props & { readonly orAll?: boolean }) {
  const me = useMe()
  const { values } = useFilters(['merNo'])
  if (!isOperator(me)) return children({})
  if (values.merNo === undefined) return orAll ? children({}) : <ChooseMerchant />
  if (!isNumber(values.merNo)) return <ChooseMerchant given={values.merNo} problem={NO_NUMBER} />
  return <OfMerchant merNo={Number(values.merNo)}>{children}</OfMerchant>
}

const NO_NUMBER: FieldText = 'Enter a whole number.'

function isNumber(text: string): boolean {
  return /^\d{1,10}$/.test(text)
}

/** Shows the page of a merchant to operators. Number 0 means the requests of unknown merchants. */
function OfMerchant({ merNo, children }: Props & { readonly merNo: number }) {
  const merchants = useWords(merchantsWords)
  const may = useMay()('merchants.read') && merNo > 0
  const found = useCall('GET /merchants/:merNo', { params: { merNo } }, { enabled: may })
  if (found.error?.code === 'not-found')
    return <ChooseMerchant given={String(merNo)} problem="There is no such merchant." />
  const label = found.data === undefined ? String(merNo) : merchants.one(found.data.merchant.name, merNo)
  return (
    <>
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
      {children({ merNo })}
    </>
  )
}

/**
 * The form that chooses a merchant. If the number in the address is wrong, the form shows the number and the problem.
 */
function ChooseMerchant({ given = '', problem }: { readonly given?: string; readonly problem?: FieldText }) {
  const developers = useWords(developersWords)
  const fieldText = useWords(fieldTextWords)
  const filters = useFilters(['merNo'])
  const [text, setText] = useState(given)
  const [refused, setRefused] = useState({ text: given, problem })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const merNo = text.trim()
    if (isNumber(merNo)) filters.set({ merNo })
    else setRefused({ text, problem: merNo === '' ? 'Enter a value.' : NO_NUMBER })
  }
  // The problem disappears as soon as the refused text is changed.
  const shown = refused.text === text ? refused.problem : undefined
  return (
    <EmptyState title={developers.chooseMerchant} hint={developers.chooseMerchantHint}>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            label={developers.merchant}
            inputMode="numeric"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            error={shown !== undefined && fieldText(shown)}
            inputWrapperOrder={['label', 'error', 'input']}
          />
          <Button type="submit">{developers.show}</Button>
        </Group>
      </form>
    </EmptyState>
  )
}

/** Returns the path of a page for developers. Operators have other paths than a merchant's staff. */
export function usePath(page: 'requests' | 'notifications' | 'keys' | 'signature'): string {
  return isOperator(useMe()) ? `/merchant-${page}` : `/developers/${page}`
}

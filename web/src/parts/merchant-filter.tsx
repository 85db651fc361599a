// The chip that chooses one merchant or all merchants. Its form finds merchants by a part of the name or by number.
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCall } from '../api/use-call.ts'
import { useMay } from '../shell/me.tsx'
import { merchantsWords } from '../words/merchants.ts'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import { FilterChip } from './filter-chip.tsx'

type Props = {
  readonly label: string
  readonly merNo: string | undefined
  /** Chooses the merchant. Undefined means all merchants. */
  readonly choose: (merNo: string | undefined) => void
}

/** The maximum number of merchants that the form shows. To find others, a person types more of the name. */
const MOST_SHOWN = 8

function isNumber(text: string): boolean {
  return /^\d{1,10}$/.test(text)
}

export function MerchantFilter({ label, merNo, choose }: Props) {
  const merchants = useWords(merchantsWords)
  const may = useMay()('merchants.read')
  const isKnown = merNo !== undefined && isNumber(merNo) && Number(merNo) > 0
  const found = useCall(
    'GET /merchants/:merNo',
    { params: { merNo: Number(merNo) } },
    { enabled: may && isKnown },
  )
  const merchant = isKnown ? found.data?.merchant : undefined
  // While the data of the chosen merchant is loading, `merchant` is still the previous one.
  const shown = merchant?.merNo === Number(merNo) ? merchants.one(merchant.name, merchant.merNo) : merNo
  return (
    <FilterChip label={label} value={shown} unset={merchants.allMerchants} remove={() => choose(undefined)}>
      {(close) => (
        <MerchantForm
          label={label}
          merNo={merNo}
          choose={(chosen) => {
            choose(chosen)
            close()
          }}
        />
      )}
    </FilterChip>
  )
}

const ALL = ''

function MerchantForm({ label, merNo, choose }: Props) {
  const merchants = useWords(merchantsWords)
  const parts = useWords(partsWords)
  const may = useMay()('merchants.read')
  const [typed, setTyped] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  const text = typed.trim()
  const { data } = useCall('GET /merchants', { query: text === '' ? {} : { text } }, { enabled: may })
  const rows = data?.rows.slice(0, MOST_SHOWN) ?? []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [only, another] = rows
    if (isNumber(text)) choose(text)
    else if (text !== '' && only !== undefined && another === undefined) choose(String(only.merNo))
    else setIsRefused(true)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={label}
          description={merchants.search}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setIsRefused(false)
          }}
          error={isRefused && merchants.chooseOne}
          data-autofocus
        />
        <Radio.Group
          aria-label={merchants.title}
          value={merNo ?? ALL}
          onChange={(value) => choose(value === ALL ? undefined : value)}
        >
          <Stack gap="xs">
            <Radio value={ALL} label={merchants.allMerchants} />
            {rows.map((one) => (
              <Radio key={one.merNo} value={String(one.merNo)} label={merchants.one(one.name, one.merNo)} />
            ))}
          </Stack>
        </Radio.Group>
        <Group>
          <Button type="submit" size="xs">
            {parts.apply}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

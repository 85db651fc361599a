// An operator's actions on a merchant: change its state, or edit its terms with a preview.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { DecideButton } from '../../parts/decide-button.tsx'
import { useMay } from '../../shell/me.tsx'
import { merchantsWords } from '../../words/merchants.ts'
import { useWords } from '../../words/use-words.tsx'
import { EditMerchant } from './edit-merchant.tsx'
import type { Merchant } from './merchant-facts.tsx'

type Transition = 'approve' | 'suspend' | 'close'

const possible: Readonly<Record<Merchant['state'], readonly Transition[]>> = {
  pending: ['approve', 'close'],
  active: ['suspend', 'close'],
  suspended: ['approve', 'close'],
  closed: [],
}

export function MerchantActions({
  merchant,
  version,
}: {
  readonly merchant: Merchant
  readonly version: string
}) {
  const merchants = useWords(merchantsWords)
  const may = useMay()
  const change = useSend('POST /merchants/:merNo/state')
  const [isEditing, setIsEditing] = useState(false)
  const { merNo, state } = merchant
  return (
    <>
      {may('merchants.edit') && <Button onClick={() => setIsEditing(true)}>{merchants.edit}</Button>}
      {may('merchants.approve') &&
        possible[state].map((transition) => (
          <DecideButton
            key={transition}
            label={merchants[transition]}
            title={merchants[`${transition}Title`]}
            danger={transition !== 'approve'}
            size="sm"
            run={(reason) => change({ params: { merNo }, body: { transition, version, reason } })}
          />
        ))}
      {isEditing && <EditMerchant merchant={merchant} version={version} close={() => setIsEditing(false)} />}
    </>
  )
}

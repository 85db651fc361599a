// What an operator may do with a merchant: change its state, or edit its terms with a preview.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useMay } from '../../shell/me.tsx'
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
  const { merchants } = useWords()
  const may = useMay()
  const change = useSend('POST /merchants/:merNo/state')
  const [asked, setAsked] = useState<Transition | 'edit'>()
  const { merNo, state } = merchant
  return (
    <>
      {may('merchants.edit') && <Button onClick={() => setAsked('edit')}>{merchants.edit}</Button>}
      {may('merchants.approve') &&
        possible[state].map((transition) => (
          <Button key={transition} variant="default" onClick={() => setAsked(transition)}>
            {merchants[transition]}
          </Button>
        ))}
      {asked === 'edit' && (
        <EditMerchant merchant={merchant} version={version} close={() => setAsked(undefined)} />
      )}
      {asked !== undefined && asked !== 'edit' && (
        <ConfirmDialog
          title={merchants[`${asked}Title`]}
          action={merchants[asked]}
          danger={asked !== 'approve'}
          needsReason
          close={() => setAsked(undefined)}
          run={(reason) => change({ params: { merNo }, body: { transition: asked, version, reason } })}
        />
      )}
    </>
  )
}

// Makes one payout to a saved beneficiary, or many payouts from a file. All payouts are checked first. Then they are
// made, or sent to a second person for approval.
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { PageFrame } from '../../parts/page-frame.tsx'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { PayoutFile } from './payout-file.tsx'
import { PayoutForm } from './payout-form.tsx'
import { type Entered, PayoutPreview } from './payout-preview.tsx'

export function NewPayoutPage() {
  const payouts = useWords(payoutsWords)
  const [by, setBy] = useState('one')
  const [entered, setEntered] = useState<Entered>()
  const choose = (next: string) => {
    setBy(next)
    setEntered(undefined)
  }
  return (
    <PageFrame title={payouts.makeTitle} hint={payouts.makeHint}>
      <SegmentedControl
        value={by}
        onChange={choose}
        data={[
          { value: 'one', label: payouts.one },
          { value: 'file', label: payouts.file },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {by === 'one' ? <PayoutForm check={setEntered} /> : <PayoutFile check={setEntered} />}
      {entered !== undefined && <PayoutPreview key={entered.key} entered={entered} />}
    </PageFrame>
  )
}

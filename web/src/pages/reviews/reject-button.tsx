// Rejects a payment in review. The channel returns the money, unless the operator has already returned it.
import { Button, Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useDialog } from '../../parts/page-dialog.tsx'
import { casesWords } from '../../words/cases.ts'
import { useWords } from '../../words/use-words.tsx'

export function RejectButton({ tradeNo }: { readonly tradeNo: string }) {
  const cases = useWords(casesWords)
  const open = useDialog(tradeNo)
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => open((close) => <RejectDialog tradeNo={tradeNo} close={close} />)}
    >
      {cases.reject}
    </Button>
  )
}

function RejectDialog({ tradeNo, close }: { readonly tradeNo: string; readonly close: () => void }) {
  const cases = useWords(casesWords)
  const reject = useSend('POST /reviews/:tradeNo/reject')
  const [isReturned, setIsReturned] = useState(false)
  return (
    <ConfirmDialog
      title={cases.rejectTitle}
      action={cases.reject}
      danger
      needsReason
      reasonName="note"
      close={close}
      run={(note) => reject({ params: { tradeNo }, body: { note, isReturned } })}
    >
      <Text>{isReturned ? cases.rejectReturnedHint : cases.rejectHint}</Text>
      <Checkbox
        label={cases.isReturned}
        checked={isReturned}
        onChange={({ currentTarget: { checked } }) => setIsReturned(checked)}
      />
    </ConfirmDialog>
  )
}

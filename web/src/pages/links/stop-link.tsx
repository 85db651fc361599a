// An operator stops a link, or lets it go on, with a reason.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { PaymentLink } from './link-status.tsx'

export function StopLink({ link: { linkId, status } }: { readonly link: PaymentLink }) {
  const { links } = useWords()
  const send = useSend('PUT /links/:linkId/stop')
  const mayStop = useMay()('risk.edit')
  const [isAsking, setIsAsking] = useState(false)
  if (!mayStop || status === 'paid' || status === 'expired') return null
  const isStopped = status === 'stopped'
  const action = isStopped ? links.resume : links.stop
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {action}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={isStopped ? links.resumeTitle : links.stopTitle}
          action={action}
          danger={!isStopped}
          needsReason
          close={() => setIsAsking(false)}
          run={(reason) => send({ params: { linkId }, body: { isStopped: !isStopped, reason } })}
        >
          {!isStopped && links.stopHint}
        </ConfirmDialog>
      )}
    </>
  )
}

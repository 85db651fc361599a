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
  /** Stays the same while the page learns the new state. */
  const [asking, setAsking] = useState<'stop' | 'resume'>()
  if (!mayStop || status === 'paid' || status === 'expired') return null
  const next = status === 'stopped' ? 'resume' : 'stop'
  return (
    <>
      <Button variant="default" onClick={() => setAsking(next)}>
        {links[next]}
      </Button>
      {asking !== undefined && (
        <ConfirmDialog
          title={asking === 'stop' ? links.stopTitle : links.resumeTitle}
          action={links[asking]}
          danger={asking === 'stop'}
          needsReason
          close={() => setAsking(undefined)}
          run={(reason) => send({ params: { linkId }, body: { isStopped: asking === 'stop', reason } })}
        >
          {asking === 'stop' && links.stopHint}
        </ConfirmDialog>
      )}
    </>
  )
}

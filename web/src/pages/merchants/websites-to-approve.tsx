// Websites that the merchant has asked for.
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { Merchant } from './merchant-facts.tsx'

export function WebsitesToApprove({ merchant: { merNo, askedWebsites } }: { readonly merchant: Merchant }) {
  const { merchants } = useWords()
  const may = useMay()
  const decide = useSend('POST /merchants/:merNo/websites')
  const [site, setSite] = useState<string>()
  return (
    <>
      {askedWebsites.map((asked) => (
        <Group key={asked} gap="sm">
          <Text>{`${merchants.facts.askedWebsites}: ${asked}`}</Text>
          {may('merchants.approve') && (
            <Button variant="default" size="xs" onClick={() => setSite(asked)}>
              {merchants.approveSite}
            </Button>
          )}
        </Group>
      ))}
      {site !== undefined && (
        <ConfirmDialog
          title={merchants.approveSiteTitle(site)}
          action={merchants.approveSite}
          needsReason
          close={() => setSite(undefined)}
          run={(reason) => decide({ params: { merNo }, body: { site, action: 'approve', reason } })}
        />
      )}
    </>
  )
}

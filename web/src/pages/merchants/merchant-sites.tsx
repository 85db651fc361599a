// The websites of a merchant: those that wait for approval, and those that its requests may come from.
import { Group, Text } from '@mantine/core'
import { useSend } from '../../api/use-call.ts'
import { DecideButton } from '../../parts/decide-button.tsx'
import { useMay } from '../../shell/me.tsx'
import { merchantsWords } from '../../words/merchants.ts'
import { useWords } from '../../words/use-words.tsx'
import type { Merchant } from './merchant-facts.tsx'

export function MerchantSites({
  merchant: { merNo, websites, askedWebsites },
}: {
  readonly merchant: Merchant
}) {
  const merchants = useWords(merchantsWords)
  const may = useMay()
  const decide = useSend('POST /merchants/:merNo/websites')
  const mayDecide = may('merchants.approve')
  return (
    <section aria-label={merchants.facts.websites}>
      {askedWebsites.map((site) => (
        <Group key={site} gap="sm" mb="xs">
          <Text>{`${merchants.facts.askedWebsites}: ${site}`}</Text>
          {mayDecide && (
            <DecideButton
              label={merchants.approveSite}
              title={merchants.approveSiteTitle(site)}
              run={(reason) => decide({ params: { merNo }, body: { site, action: 'approve', reason } })}
            />
          )}
        </Group>
      ))}
      {websites.map((site) => (
        <Group key={site} gap="sm" mb="xs">
          <Text>{`${merchants.website}: ${site}`}</Text>
          {mayDecide && (
            <DecideButton
              label={merchants.removeSite}
              title={merchants.removeSiteTitle(site)}
              danger
              run={(reason) => decide({ params: { merNo }, body: { site, action: 'remove', reason } })}
            />
          )}
        </Group>
      ))}
    </section>
  )
}

import { Stack } from '@mantine/core'
import { useParams } from 'wouter'
import { useCall } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { merchantsWords } from '../../words/merchants.ts'
import { useWords } from '../../words/use-words.tsx'
import { DetailsFacts } from '../company/company-details.tsx'
import { MerchantLinks } from '../developers/merchant-links.tsx'
import { FeePlans } from './fee-plans.tsx'
import { MerchantActions } from './merchant-actions.tsx'
import { MerchantFacts } from './merchant-facts.tsx'
import { MerchantSites } from './merchant-sites.tsx'
import { MerchantState } from './merchant-state.tsx'
import { RoutingRules } from './routing-rules.tsx'

export function MerchantPage() {
  const merchants = useWords(merchantsWords)
  const { merNo } = useParams<{ merNo: string }>()
  const found = useCall('GET /merchants/:merNo', { params: { merNo: Number(merNo) } })
  return (
    <Loaded query={found} lines={12}>
      {({ merchant, version }) => (
        <PageFrame
          title={merchants.one(merchant.name, merchant.merNo)}
          actions={<MerchantActions merchant={merchant} version={version} />}
          actionsStay
        >
          <Stack gap="xl">
            <MerchantState state={merchant.state} />
            <MerchantLinks merNo={merchant.merNo} />
            <MerchantSites merchant={merchant} />
            <MerchantFacts merchant={merchant} />
            <MerchantCompany merNo={merchant.merNo} />
            <FeePlans merchant={merchant} version={version} />
            <RoutingRules merchant={merchant} version={version} />
          </Stack>
        </PageFrame>
      )}
    </Loaded>
  )
}

function MerchantCompany({ merNo }: { readonly merNo: number }) {
  const merchants = useWords(merchantsWords)
  const details = useCall('GET /merchants/:merNo/company', { params: { merNo } })
  return (
    <Section title={merchants.company}>
      <Loaded query={details} lines={4}>
        {(found) => <DetailsFacts of={found} />}
      </Loaded>
    </Section>
  )
}

// What the merchant's people say about their company.
import { useCall } from '../../api/use-call.ts'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/use-words.tsx'
import { DetailsFacts } from '../company/company-details.tsx'

export function MerchantCompany({ merNo }: { readonly merNo: number }) {
  const { merchants } = useWords()
  const details = useCall('GET /merchants/:merNo/company', { params: { merNo } })
  return (
    <Section title={merchants.company}>
      <Loaded query={details} lines={4}>
        {(found) => <DetailsFacts of={found} />}
      </Loaded>
    </Section>
  )
}

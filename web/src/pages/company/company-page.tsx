import { Stack } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { useCall } from '../../api/use-call.ts'
import { Facts } from '../../parts/facts.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { Loaded } from '../../parts/states.tsx'
import { companyWords } from '../../words/company.ts'
import { useWords } from '../../words/use-words.tsx'
import { CompanyDetails } from './company-details.tsx'
import { CompanyLook } from './company-look.tsx'

type Company = Reply<'GET /company'>

const tones: Readonly<Record<Company['state'], Tone>> = {
  pending: 'waiting',
  active: 'done',
  suspended: 'error',
  closed: 'neutral',
}

export function CompanyPage() {
  const company = useWords(companyWords)
  const query = useCall('GET /company', {})
  return (
    <PageFrame title={company.title} hint={company.hint}>
      <Loaded query={query} lines={8}>
        {(data) => (
          <Stack gap="xl">
            <CompanyFacts of={data} />
            <CompanyDetails details={data.details} />
            <CompanyLook company={data} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

function CompanyFacts({ of }: { readonly of: Company }) {
  const company = useWords(companyWords)
  const sites = [...of.websites, ...of.askedWebsites.map((site) => company.asked(site))]
  const currencies = of.currencies.map(({ currency, settlesIn }) =>
    currency === settlesIn ? currency : company.settlesIn(currency, settlesIn),
  )
  return (
    <Facts
      of={[
        [company.name, of.name],
        [company.merNo, of.merNo],
        [
          company.state,
          <StateLabel key="state" tone={tones[of.state]}>
            {company.states[of.state]}
          </StateLabel>,
        ],
        [company.timezone, of.timezone],
        [company.websites, sites.length === 0 ? company.none : <Lines key="sites" of={sites} />],
        [company.currencies, currencies.length === 0 ? company.none : currencies.join(', ')],
        [company.methods, of.methods === undefined ? company.allMethods : of.methods.join(', ')],
      ]}
    />
  )
}

function Lines({ of }: { readonly of: readonly string[] }) {
  return (
    <Stack gap={0}>
      {of.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </Stack>
  )
}

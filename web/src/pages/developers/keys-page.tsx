import { Button, Stack } from '@mantine/core'
import { useCall } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useSession } from '../../shell/me.tsx'
import { WithMerchant } from './chosen-merchant.tsx'
import { MerchantKeys } from './merchant-keys.tsx'
import { NotificationSettings, WebhookSecret } from './notification-settings.tsx'
import { RsaKeys } from './rsa-keys.tsx'
import { SigningSettings } from './signing-settings.tsx'
import { useDeveloperWords } from './use-developer-words.ts'
import { Websites } from './websites.tsx'

export function KeysPage() {
  return <WithMerchant>{(chosen) => <Keys key={chosen.merNo ?? ''} query={chosen} />}</WithMerchant>
}

function Keys({ query }: { readonly query: { readonly merNo?: number } }) {
  const developers = useDeveloperWords()
  const settings = useCall('GET /developers', { query })
  return (
    <PageFrame
      title={developers.keys}
      hint={developers.keysHint}
      actions={<OtherMode url={settings.data?.otherUrl ?? null} />}
    >
      <Loaded query={settings} lines={16}>
        {(found) => (
          <Stack gap="xl" className="key-sections">
            <MerchantKeys of={found} />
            <RsaKeys of={found} />
            <WebhookSecret />
            <Websites of={found} />
            <SigningSettings of={found.signing} />
            <NotificationSettings of={found.notifying} chosen={query} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

/** Links to the back office of the other mode (sandbox or live). The two modes share no data. */
function OtherMode({ url }: { readonly url: string | null }) {
  const developers = useDeveloperWords()
  const { mode } = useSession()
  if (url === null) return null
  return (
    <Button component="a" variant="default" href={`${url}/backoffice`}>
      {mode === 'live' ? developers.otherSandbox : developers.otherLive}
    </Button>
  )
}

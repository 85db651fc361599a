import { useCall } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { accountWords } from '../../words/account.ts'
import { useWords } from '../../words/use-words.tsx'
import { AboutYou } from './about-you.tsx'
import { ChangePassword } from './change-password.tsx'
import { Factors } from './factors.tsx'
import { Sessions } from './sessions.tsx'

export function ProfilePage() {
  const account = useWords(accountWords)
  const mine = useCall('GET /account', {})
  return (
    <PageFrame title={account.title}>
      <Loaded query={mine} lines={12}>
        {(data) => (
          <>
            <AboutYou account={data} />
            <ChangePassword email={data.email} />
            <Factors account={data} />
            <Sessions />
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

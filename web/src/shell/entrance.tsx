// Shows the pages to people who are signed in, and the sign-in to all others.
import { useCall } from '../api/use-call.ts'
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx'
import { ErrorState } from '../parts/states.tsx'
import { Gate } from './gate.tsx'
import { SessionProvider } from './me.tsx'
import { Shell } from './shell.tsx'

export function Entrance() {
  const session = useCall('GET /session', {})
  if (session.data === undefined)
    return session.error === null ? null : (
      <ErrorState error={session.error} retry={() => void session.refetch()} />
    )
  const { me, next } = session.data
  if (me === undefined || next !== 'done')
    return <SignInPage session={session.data} done={() => void session.refetch()} />
  return (
    <SessionProvider value={{ ...session.data, me }}>
      <Shell />
      <Gate />
    </SessionProvider>
  )
}

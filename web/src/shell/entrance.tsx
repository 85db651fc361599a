// Shows the back office to signed-in people, and the public pages to everybody else.
import { useEffect } from 'react'
import { Route, Switch } from 'wouter'
import { useCall } from '../api/use-call.ts'
import { ForgottenPage } from '../pages/sign-in/forgotten-page.tsx'
import { LinkPage } from '../pages/sign-in/link-page.tsx'
import { RegisterPage } from '../pages/sign-in/register-page.tsx'
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx'
import { pages } from '../pages.ts'
import { ErrorState } from '../parts/states.tsx'
import { isLanguage } from '../words/language.ts'
import { useLanguage } from '../words/use-words.tsx'
import { Gate } from './gate.tsx'
import { PagesProvider, SessionProvider } from './me.tsx'
import { Shell } from './shell.tsx'
import { useKeptSession } from './use-kept-session.ts'

export function Entrance() {
  const query = useCall('GET /session', {})
  useOwnLanguage(query.data?.me?.language ?? null)
  const session = query.data
  const goOn = async () => void (await query.refetch())
  const kept = useKeptSession(session, goOn)
  if (session === undefined)
    return query.error === null ? null : <ErrorState error={query.error} retry={() => void query.refetch()} />
  return (
    <Switch>
      <Route path="/link">
        <LinkPage session={session} goOn={goOn} />
      </Route>
      <Route path="/forgotten">
        <ForgottenPage session={session} />
      </Route>
      {session.registration && (
        <Route path="/register">
          <RegisterPage session={session} />
        </Route>
      )}
      <Route>
        {kept === undefined ? (
          <SignInPage session={session} goOn={goOn} />
        ) : (
          <SessionProvider value={kept}>
            <PagesProvider value={pages}>
              <Shell />
            </PagesProvider>
            <Gate />
          </SessionProvider>
        )}
      </Route>
    </Switch>
  )
}

/**
 * Applies the language that the person has chosen. The choice is stored on the server, so it applies on every device.
 */
function useOwnLanguage(chosen: string | null): void {
  const { language, speak } = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a sign-in changes it, not a choice in the menu
  useEffect(() => {
    if (isLanguage(chosen) && chosen !== language) speak(chosen)
  }, [chosen])
}

// The frame of the web app: its theme, language, data access and addresses.
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { Router } from 'wouter'
import { Refusal } from './api/refusal.ts'
import { Entrance } from './shell/entrance.tsx'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { theme, variables } from './theme.ts'
import { LanguageProvider } from './words/use-words.tsx'

/** The content security policy allows only style elements that have the nonce of the page's own response. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
setNonce(nonce)

const TRIES = 2

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Only a failed connection is retried, because a refusal would be the same again.
      retry: (count, error) => count < TRIES && error instanceof Refusal && error.code === 'unreachable',
    },
  },
})

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <LanguageProvider>
        <ErrorBoundary>
          <QueryClientProvider client={client}>
            <Router base="/backoffice">
              <Entrance />
            </Router>
          </QueryClientProvider>
        </ErrorBoundary>
      </LanguageProvider>
    </MantineProvider>
  )
}

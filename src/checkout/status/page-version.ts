// A short text that changes whenever the page would look different. The page contains the version it was rendered for, the
// live status sends the current one, and when they differ the page reloads. In HTML and JSON its name is `mark`.
import type { CheckoutView } from '../view.ts'

type Versioned = Pick<CheckoutView, 'status' | 'attempts' | 'received' | 'action'>

export function pageVersionOf({ status, attempts, received, action }: Versioned): string {
  const confirmations = action?.kind === 'crypto' ? action.confirmations : undefined
  return [status, attempts, received?.amount ?? '', confirmations ?? ''].join('.')
}

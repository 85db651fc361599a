import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { merchantsWords } from '../../words/merchants.ts'
import { useWords } from '../../words/use-words.tsx'

export const merchantStates = ['pending', 'active', 'suspended', 'closed'] as const

export type MerchantStateName = (typeof merchantStates)[number]

const tones: Readonly<Record<MerchantStateName, Tone>> = {
  pending: 'waiting',
  active: 'done',
  suspended: 'error',
  closed: 'neutral',
}

export function MerchantState({ state }: { readonly state: MerchantStateName }) {
  const merchants = useWords(merchantsWords)
  return <StateLabel tone={tones[state]}>{merchants.states[state]}</StateLabel>
}

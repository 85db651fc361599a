// Counterparties of real adapters, with which an operator without credentials can rehearse going live. The sandbox's
// usual channels leave them out, because a gateway in sandbox would route payments of the demo to them.

import { mountAdyen } from './adyen/mount.ts'
import { mountDlocal } from './dlocal/mount.ts'
import type { ChannelEntry, Counterparty, Mount, SandboxPlace } from './place.ts'
import { mountStp } from './stp/mount.ts'
import { mountStripe } from './stripe/mount.ts'

export type Rehearsal = {
  readonly mounts: readonly Mount[]
  /** The entries of a channels file. `settings` are the sandbox's own settings once it listens. */
  entries(settings: readonly ChannelEntry[]): readonly ChannelEntry[]
}

/**
 * Derives the callback address of each counterparty from the gateway's address. At a real counterparty, an operator
 * enters it.
 */
export function openRehearsal(gatewayUrl: string): Rehearsal {
  const opened: Counterparty[] = []
  return {
    mounts: Object.entries(rails).map(([name, open]) => (place) => {
      const counterparty = open(place, `${gatewayUrl}/callbacks/${name}`)
      opened.push(counterparty)
      return { ...counterparty, settings: () => [] }
    }),
    entries: (settings) => [
      ...opened.flatMap((counterparty) => counterparty.settings()),
      ...settings.filter(({ name }) => demoRails.includes(name)),
    ],
  }
}

/** Channels of the demo that use the protocol of a real counterparty. */
const demoRails: readonly string[] = ['pix', 'alipay', 'wechat']

/** The counterparties of the rehearsal, by the name of the channel. */
const rails: Readonly<Record<string, (place: SandboxPlace, callbackUrl: string) => Counterparty>> = {
  adyen(place, callbackUrl) {
    const adyen = mountAdyen(place)
    adyen.webhooks.address = callbackUrl
    return adyen
  },
  stripe(place, callbackUrl) {
    const stripe = mountStripe(place)
    stripe.notifyAt(callbackUrl)
    return stripe
  },
  dlocal(place, callbackUrl) {
    const dlocal = mountDlocal(place)
    dlocal.notifyPayoutsAt(callbackUrl)
    return dlocal
  },
  stp(place, callbackUrl) {
    const stp = mountStp(place)
    stp.notifyAt(callbackUrl)
    return stp
  },
}

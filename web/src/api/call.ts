// A call to the API that survives a lost session. The call waits until the person has signed in again, and is then
// repeated.
import { Refusal } from './refusal.ts'
import { type InputOf, type JsonRoute, type Reply, send } from './send.ts'
import { ask, signInCount } from './session-gate.ts'

export async function call<Name extends JsonRoute>(name: Name, input: InputOf<Name>): Promise<Reply<Name>> {
  for (;;) {
    const begun = signInCount()
    try {
      return await send(name, input)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'not-signed-in' && begun !== signInCount()) continue
      if (error.code === 'not-signed-in') await ask('sign-in')
      else if (error.code === 'factor-needed') await ask('factor')
      else throw error
    }
  }
}

// Checks the rules that apply to every request: the signature, the form, and the names of operations.
import { isObject } from '../../../platform/base/object.ts'
import { neededBy } from '../../protocols/bridge/check-bridge.ts'
import { type Check, hold, type SignatureChanges } from '../check.ts'
import { expectRefusal } from '../expect.ts'

const wrongSignatures: readonly (readonly [what: string, changes: SignatureChanges])[] = [
  ['A request without a signature', { unsigned: true }],
  ['A request with a time and no signature', { signature: '' }],
  ['A request with a signature of one letter', { signature: 'A' }],
  ['A request signed with another secret', { secret: 'not the secret' }],
  ['A request whose body was changed', { body: '{"other":true}' }],
  ['A request signed for another path', { path: '/v1/other' }],
  ['A request that is ten minutes old', { ageS: -600 }],
  ['A request from ten minutes ahead', { ageS: 600 }],
]

const signature: Check = {
  name: 'signature',
  title:
    'accepts only requests that are signed with the secret, for this path and body, in the last five minutes',
  todo: 'Compute the HMAC over method, path, timestamp and the raw bytes of the body before you parse it, compare in constant time, and answer 401 unless both it and the time fit.',
  needs: [],
  async run(bridge) {
    for (const [what, changes] of wrongSignatures) {
      const reply = await bridge.callWith('ping', '{}', changes)
      hold(reply.kind === 'answer', `${what} was not answered.`)
      expectRefusal(reply, 401, 'unauthorised', what)
    }
  },
}

const ping: Check = {
  name: 'ping',
  title: 'answers a ping with the names of its operations',
  todo: 'Answer the operation "ping" with 200 and {"operations": ["open", …]}. If this fails with 401, compare the secrets and the clocks of both machines.',
  needs: [],
  async run(bridge) {
    const { status, body } = await bridge.call('ping', {})
    hold(status === 200, `A ping was answered ${status}.`)
    const names = isObject(body) ? body.operations : undefined
    const isList = Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string')
    hold(isList, 'The answer to a ping has no list "operations".')
    const { method, isPayoutNamed, payoutKind } = bridge
    const wanted = { methods: method ? [method] : [], payoutKinds: isPayoutNamed ? [payoutKind] : [] }
    const missing = neededBy(wanted).filter((name) => !names.includes(name))
    hold(missing.length === 0, `It does not offer ${missing.join(', ')}, which the named method needs.`)
  },
}

const unknownOperation: Check = {
  name: 'unknown-operation',
  title: 'refuses operations that it does not have, in another way than references that it does not have',
  todo: 'Answer 404 with "error": "no_such_operation". "not_found" would mean that a payment does not exist, and the gateway would give it up.',
  needs: [],
  async run(bridge) {
    const answer = await bridge.call('no-such-operation', {})
    expectRefusal(answer, 404, 'no_such_operation', 'An operation that does not exist')
  },
}

const malformed: Check = {
  name: 'malformed',
  title: 'refuses bodies that are not a JSON object, or longer than 64 KiB',
  todo: 'Answer 400 with "error": "invalid_request". Never answer 500 to what can be refused: the gateway would ask again for hours.',
  needs: ['lookup'],
  async run(bridge) {
    for (const body of ['', '{', '[]', 'null', '"text"']) {
      const reply = await bridge.callWith('lookup', body, {})
      hold(reply.kind === 'answer', `The body ${JSON.stringify(body)} was not answered.`)
      expectRefusal(reply, 400, 'invalid_request', `The body ${JSON.stringify(body)}`)
    }
    // The bridge may answer with any status except 200, or close the connection. The next request must still work.
    const long = JSON.stringify({ reference: 'x'.repeat(70_000) })
    const reply = await bridge.callWith('lookup', long, {})
    hold(reply.kind !== 'answer' || reply.status !== 200, 'A body of 70 kB was accepted.')
    await bridge.call('ping', {})
  },
}

export const envelopeChecks: readonly Check[] = [signature, ping, unknownOperation, malformed]

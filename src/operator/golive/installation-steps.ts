// Steps about the settings, the address and the operators of the installation.
import { listByCommand } from '../../people/registration/command-users.ts'
import { certificateProblem, forwardingProblem, reason } from '../doctor/checks.ts'
import { done, missing, type Step, wrongSetting } from './step.ts'

export const settings: Step = {
  name: 'settings',
  title: 'Settings, database and keys',
  async check({ config, examine }) {
    try {
      if (config().mode !== 'live')
        return missing(
          'this is a sandbox',
          'set TOLLGATE_MODE=live, with a data folder and database of its own',
        )
    } catch (error) {
      return missing(wrongSetting(error), 'correct the setting')
    }
    const findings = await examine()
    const failed = findings.find(({ status }) => status === 'fail')
    const warnings = findings.filter(({ status }) => status === 'warn').map(({ check }) => check)
    const more = warnings.length === 0 ? '' : `, but warns of ${warnings.join(', ')}: run "doctor"`
    if (failed === undefined)
      return done(`the doctor made ${findings.length} checks and found nothing wrong${more}`)
    return missing(`${failed.check}: ${failed.found}`, failed.todo ?? 'run "doctor"')
  },
}

const HTTPS_TODO =
  'let a proxy end TLS in front of the gateway, and set TOLLGATE_BASE_URL and TOLLGATE_TRUSTED_PROXIES'

const WRONG_TODO = 'start the gateway, let the proxy pass every path to it, and see its log'

export const address: Step = {
  name: 'address',
  title: 'Public address with TLS',
  async check({ config }) {
    const { baseUrl } = config()
    const { protocol, hostname } = new URL(baseUrl)
    const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
    if (protocol !== 'https:' && !isLocal) return missing(`${baseUrl} is not https`, HTTPS_TODO)
    try {
      const reply = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(10_000) })
      const { status, detail } = Object(await reply.json().catch(() => undefined))
      if (status !== 'ready')
        return missing(`${baseUrl}/readyz answered ${reply.status}, and not as Tollgate does`, WRONG_TODO)
      const problem = forwardingProblem(Object(detail).forwarding, baseUrl)
      if (problem !== undefined) return missing(problem.found, problem.todo)
      return done(`${baseUrl} answers${isLocal ? ' on this machine only' : ''}`)
    } catch (error) {
      const problem = certificateProblem(error)
      return missing(
        `${baseUrl} does not answer: ${problem?.found ?? reason(error)}`,
        problem?.todo ?? 'start the gateway, and check DNS, firewall and proxy',
      )
    }
  },
}

export const operator: Step = {
  name: 'operator',
  title: 'An operator with a second factor',
  async check({ config, database }) {
    const people = await listByCommand(await database(), 0)
    const ready = people.filter(
      ({ role, state, hasFactor }) => role === 'admin' && state === 'active' && hasFactor,
    )
    if (ready.length > 0) return done(`${ready.length} of ${people.length} operators can sign in as admin`)
    const halfway = people.find(({ role, state }) => role === 'admin' && state === 'active')
    if (halfway !== undefined)
      return missing(
        `${halfway.email} is admin, but has no second factor`,
        `sign in at ${config().baseUrl}/backoffice as ${halfway.email}, and add a second factor`,
      )
    return missing(
      'no admin has a password and a second factor',
      'run "user create --email E --role admin", and open the link that it prints',
    )
  },
}

// The entry for medusa-config: `{ resolve: '@tollgate/medusa/providers/tollgate', id: 'tollgate', options }`.
import { ModuleProvider, Modules } from '@medusajs/framework/utils'
import { TollgateProvider } from '../tollgate-provider.ts'

export default ModuleProvider(Modules.PAYMENT, { services: [TollgateProvider] })

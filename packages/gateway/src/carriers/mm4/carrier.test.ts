/** The MM4 adapter against the contract of all adapters, over real sockets. */
import { carrierContract } from '../carrier.contract.ts';
import { mm4UnderTest } from './mm4-fixture.ts';

carrierContract('MM4', mm4UnderTest, 'MMS');

"""A reader of CLOG2, written from a description of the format alone, for reference_method.py."""
import gzip
import lzma
import struct
import sys

KNOWN = {}          # stateID -> name without MPI_


def _known():
    def put(first, text):
        for i, name in enumerate(text.replace(',', ' ').split()):
            KNOWN[first + i] = 'MPI_' + name
    put(0, 'Allgather Allgatherv Allreduce Alltoall Alltoallv Barrier Bcast Gather Gatherv Op_create Op_free '
           'Reduce_scatter Reduce Scan Scatter Scatterv Attr_delete Attr_get Attr_put Comm_compare Comm_create '
           'Comm_dup Comm_free Comm_group Comm_rank Comm_remote_group Comm_remote_size Comm_size Comm_split '
           'Comm_test_inter Group_compare Group_difference Group_excl Group_free Group_incl Group_intersection '
           'Group_rank Group_range_excl Group_range_incl Group_size Group_translate_ranks Group_union '
           'Intercomm_create Intercomm_merge Keyval_create Keyval_free Abort Error_class Errhandler_create '
           'Errhandler_free Errhandler_get Error_string Errhandler_set Get_processor_name Initialized Wtick Wtime '
           'Address Bsend Bsend_init Buffer_attach Buffer_detach Cancel Request_free Recv_init Send_init '
           'Get_elements Get_count Ibsend Iprobe Irecv Irsend Isend Issend Pack Pack_size Probe Recv Rsend '
           'Rsend_init Send Sendrecv Sendrecv_replace Ssend Ssend_init Start Startall Test Testall Testany '
           'Test_cancelled Testsome Type_commit Type_contiguous Type_extent Type_free Type_hindexed Type_hvector '
           'Type_indexed Type_lb Type_size Type_struct Type_ub Type_vector Unpack Wait Waitall Waitany Waitsome '
           'Cart_coords Cart_create Cart_get Cart_map Cart_shift Cartdim_get Dims_create Graph_create Graph_get '
           'Graph_map Graph_neighbors Graph_neighbors_count Graphdims_get Topo_test Recv_idle Cart_rank Cart_sub')
    put(201, 'Comm_spawn Comm_spawn_multiple Comm_get_parent Comm_accept Comm_connect Comm_disconnect Comm_join')
    assert KNOWN[62] == 'MPI_Cancel' and KNOWN[87] == 'MPI_Test' and KNOWN[125] == 'MPI_Cart_sub', KNOWN
    KNOWN[250] = 'MPE_Isend_waited'
    KNOWN[251] = 'MPE_Irecv_waited'
    KNOWN[280] = 'CLOG_Buffer_write2disk'


_known()

ENDLOG, ENDBLOCK, STATEDEF, EVENTDEF, CONSTDEF, BARE, CARGO, MSG, COLL, COMM, SRCLOC, SHIFT = range(12)
LENGTH = {ENDLOG: 0, ENDBLOCK: 0, STATEDEF: 112, EVENTDEF: 104, CONSTDEF: 40, BARE: 8, CARGO: 40, MSG: 24, COLL: 16,
          COMM: 48, SRCLOC: 48, SHIFT: 8}


def text(b):
    return b.split(b'\0', 1)[0].decode('latin-1')


class Clog2:
    """One file.  records() yields (time, icomm, rank, thread, rectype, payload offset), in file order."""

    def __init__(self, path):
        with open(path, 'rb') as f:
            data = f.read()
        if data[:2] == b'\x1f\x8b':
            data = gzip.decompress(data)
        elif data[:6] == b'\xfd7zXZ\0':
            data = lzma.decompress(data)
        self.data = data
        self.problems = []
        pre = data[:1024].split(b'\0')
        self.version = pre[0].decode('latin-1')
        if not self.version.startswith('CLOG-02.'):
            raise ValueError('%s: not a CLOG2 file' % path)
        self.minor = int(self.version[8:])
        fields = {}
        i = 1
        while i + 1 < len(pre):
            title = pre[i].decode('latin-1')
            if not title.endswith('='):
                break
            value = pre[i + 1].decode('latin-1')
            i += 2
            if title == 'user_eventID_start=' and title in fields:
                title = 'user_solo_eventID_start='
            fields[title] = value
            if title == 'commtable_fptr=':
                break
        self.fields = fields
        self.big = fields['is_big_endian='].strip() == 'TRUE'
        self.order = '>' if self.big else '<'
        self.block = int(fields['block_size='])
        self.old = self.minor <= 20
        fin = fields.get('is_finalzed=')
        self.finalized = None if fin is None else fin.strip() == 'TRUE'

    def raw(self):
        data, B = self.data, self.block
        head = struct.Struct(self.order + ('dii' if self.old else 'diiii'))
        hlen = 16 if self.old else 24
        extra = dict(LENGTH)
        if self.old:
            extra[COMM] = 16
        unpack = head.unpack_from
        start = 1024
        old = self.old
        while True:
            pos = start
            end = min(start + B, len(data))
            while True:
                if pos + hlen > end:
                    self.problems.append('truncated at %d' % pos)
                    return
                if old:
                    time, rtype, rank = unpack(data, pos)
                    icomm, thread = 0, 0
                else:
                    time, icomm, rank, thread, rtype = unpack(data, pos)
                if rtype not in extra:
                    self.problems.append('bad record type %d at %d' % (rtype, pos))
                    return
                p = pos + hlen
                pos = p + extra[rtype]
                if pos > end:
                    self.problems.append('truncated at %d' % pos)
                    return
                yield time, icomm, rank, thread, rtype, p
                if rtype == ENDLOG:
                    return
                if rtype == ENDBLOCK:
                    break
            start += B
            if start >= len(data):
                self.problems.append('no ENDLOG')
                return


def unpack_cargo(fmt, cargo):
    """The named fields of 32 bytes that MPE's packer wrote (big-endian, in both byte orders): {label: value}."""
    out = {}
    pos = 0
    i = 0
    label = ''
    while i < len(fmt):
        if fmt[i] == '%' and i + 1 < len(fmt):
            c = fmt[i + 1]
            i += 2
            if c == 's':
                n = struct.unpack_from('>h', cargo, pos)[0]
                value = cargo[pos + 2:pos + 2 + max(0, n)]
                pos += 2 + max(0, n)
            else:
                code, size = {'h': ('>h', 2), 'd': ('>i', 4), 'x': ('>i', 4), 'l': ('>q', 8), 'X': ('>q', 8),
                              'e': ('>f', 4), 'E': ('>d', 8)}.get(c, (None, 0))
                if code is None or pos + size > len(cargo):
                    return out
                value = struct.unpack_from(code, cargo, pos)[0]
                pos += size
            out[label.strip().rstrip('=').split()[-1] if label.strip() else ''] = value
            label = ''
        else:
            label += fmt[i]
            i += 1
    return out


if __name__ == '__main__':
    f = Clog2(sys.argv[1])
    print(f.version, f.fields)
    names = {}
    for t, ic, r, th, ty, p in f.raw():
        o = f.order
        d = f.data
        x = ''
        if ty == STATEDEF:
            s = struct.unpack_from(o + '3i', d, p)
            x = (s, text(d[p + 40:p + 72]), text(d[p + 72:p + 112]))
        elif ty == EVENTDEF:
            x = (struct.unpack_from(o + 'i', d, p), text(d[p + 32:p + 64]), text(d[p + 64:p + 104]))
        elif ty == CONSTDEF:
            x = (struct.unpack_from(o + 'ii', d, p), text(d[p + 8:p + 40]))
        elif ty == BARE:
            e = struct.unpack_from(o + 'i', d, p)[0]
            x = (e, KNOWN.get(e // 2, '') + '][' [1 - e % 2])
        elif ty == CARGO:
            e = struct.unpack_from(o + 'i', d, p)[0]
            x = (e, KNOWN.get(e // 2, ''), d[p + 8:p + 40].hex())
        elif ty == MSG:
            x = struct.unpack_from(o + '5i', d, p)
        elif ty == COMM:
            x = struct.unpack_from(o + '4i', d, p)
        elif ty == SHIFT:
            x = struct.unpack_from(o + 'd', d, p)
        print('%.9f' % t, ic, r, th, ['elog', 'eblk', 'sdef', 'edef', 'cdef', 'bare', 'cago', 'msg', 'coll', 'comm', 'loc', 'shft'][ty], x)
    print(f.problems)

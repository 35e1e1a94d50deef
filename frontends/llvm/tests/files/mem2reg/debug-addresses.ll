; Addresses of variables of the source program (`llvm.dbg.addr`), which LLVM 16 is the last to know. Each comment names LLVM's test of
; the same situation.

@elsewhere = external global i32

declare void @llvm.dbg.addr(metadata, metadata, metadata)

declare void @llvm.dbg.value(metadata, metadata, metadata)

; dbg-addr: an address before stores in two arms.
define i32 @two_arms(i32 %c, i32 %a, i32 %b) !dbg !8 {
entry:
  %slot = alloca i32, align 4
  call void @llvm.dbg.addr(metadata ptr %slot, metadata !9, metadata !DIExpression()), !dbg !10
  store i32 %a, ptr %slot, align 4, !dbg !10
  %is_set = icmp sgt i32 %c, 4, !dbg !10
  br i1 %is_set, label %then, label %else, !dbg !10

then:
  store i32 6, ptr %slot, align 4, !dbg !11
  br label %join, !dbg !11

else:
  store i32 %b, ptr %slot, align 4, !dbg !12
  br label %join

join:
  %got = load i32, ptr %slot, align 4, !dbg !13
  ret i32 %got, !dbg !13
}

; dbg-addr-inline-dse: several addresses of one slot, and a value between them.
define void @several_addresses(i32 %x) !dbg !14 {
entry:
  %slot = alloca i32, align 4
  store i32 %x, ptr %slot, align 4
  call void @llvm.dbg.addr(metadata ptr %slot, metadata !15, metadata !DIExpression()), !dbg !16
  %a = load i32, ptr %slot, align 4, !dbg !16
  %b = sub nsw i32 %a, 1, !dbg !16
  store i32 %b, ptr %slot, align 4, !dbg !16
  call void @llvm.dbg.value(metadata i32 7, metadata !15, metadata !DIExpression()), !dbg !16
  store i32 7, ptr @elsewhere, align 4, !dbg !16
  call void @llvm.dbg.addr(metadata ptr %slot, metadata !15, metadata !DIExpression()), !dbg !16
  store i32 8, ptr %slot, align 4, !dbg !16
  %c = load i32, ptr %slot, align 4, !dbg !16
  %d = sub nsw i32 %c, 1, !dbg !16
  store i32 %d, ptr %slot, align 4, !dbg !16
  ret void, !dbg !16
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1, !2}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "by hand", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !{i32 2, !"Dwarf Version", i32 4}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "s.c", directory: "/s")
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = distinct !DISubprogram(name: "two_arms", scope: !3, file: !3, line: 10, type: !4, scopeLine: 10, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!9 = !DILocalVariable(name: "x", scope: !8, file: !3, line: 11, type: !6)
!10 = !DILocation(line: 11, column: 3, scope: !8)
!11 = !DILocation(line: 12, column: 3, scope: !8)
!12 = !DILocation(line: 13, column: 3, scope: !8)
!13 = !DILocation(line: 14, column: 3, scope: !8)
!14 = distinct !DISubprogram(name: "several_addresses", scope: !3, file: !3, line: 20, type: !4, scopeLine: 20, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!15 = !DILocalVariable(name: "y", scope: !14, file: !3, line: 21, type: !6)
!16 = !DILocation(line: 22, column: 3, scope: !14)
